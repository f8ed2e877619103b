# SPDX-License-Identifier: Apache-2.0
"""`bancada import plan.jmx` as a user has it: from JMeter's file to a study that plans and runs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.cli.import_plan import import_plan
from bancada.errors import ExitCode, InputError
from tests.cli.test_bad_input import refused
from tests.conftest import Listening
from tests.jmeter.plan_builder import element, group, headers, http, plan, response_assertion, timer

PLANS = Path(__file__).parents[1] / "jmeter" / "plans"
Bancada = Callable[..., subprocess.CompletedProcess[str]]


def test_a_plan_becomes_a_study_that_plans(bancada: Bancada) -> None:
    """The study is written and named with the commands to go on; `bancada plan` shows the paper's load."""
    ended = bancada("import", PLANS / "third-test-plan.jmx")
    assert ended.returncode == 0, ended.stderr
    for said in ("Response Time Graph", "Written: third-test-plan.toml", "bancada run third-test-plan.toml"):
        assert said in ended.stdout
    planned = bancada("plan", "third-test-plan.toml")
    assert planned.returncode == 0, planned.stderr
    assert "closed, 10000 users, ramp-up 1 min 0 s, 10 iterations" in planned.stdout


MIXED = plan(
    element("CookieManager", "cookies\nof all"),
    group(
        headers(("accept", "text/html")),
        http("list", path="/"),
        response_assertion("200"),
        timer(10),
        timer(5, "UniformRandomTimer", name="think"),
        element("ResultCollector", "Tree", gui="ViewResultsFullVisualizer"),
        http("old", enabled=False),
        name="Get",
    ),
)
EXPECTED = """\
# mixed.toml: How does http://127.0.0.1:8080 answer 2 users, asked as by mixed.jmx?
# Made of mixed.jmx, saved by JMeter 5.6.3: thread group "Get" in line 15.
# Each trial warms up for 5 s first, which JMeter does not: see warm_up.
#
# Left out; the study does not do this:
# - line 11: HTTP Cookie Manager "cookies of all": users here keep no cookies
# - line 59: Uniform Random Timer "think": a pause that varies cannot be carried over; a load has one fixed \
pause, think
#
# Carried over, but not just as JMeter does it:
# - line 15: Thread Group "Get": JMeter waits without end for a connection and an answer; here as long as the whole \
load may take
# - line 54: Constant Timer "ConstantTimer": users pause between requests; in JMeter also before their first one
#
# Disabled in the plan, and so not carried over:
# - line 68: HTTP Request "old": JMeter does not run it either
#
# Not needed here:
# - line 64: View Results Tree "Tree": the report has it

study = "mixed"
question = "How does http://127.0.0.1:8080 answer 2 users, asked as by mixed.jmx?"
stacks = ["target=http://127.0.0.1:8080"]
blocks = 5

[[operation]]
name = "list"
path = "/"
headers = { accept = "text/html" }

[operation.check]
status = [200]

[[load]]
name = "2 users"
users = 2
ramp_up = "1s"
iterations = 3
think = "10ms"

[timeouts]
connect = "30min"
response = "30min"
"""


def test_what_is_not_carried_over_stands_in_the_table_and_in_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Element, name, line and reason are printed and written above the study."""
    (tmp_path / "mixed.jmx").write_text(MIXED)
    import_plan(tmp_path / "mixed.jmx", tmp_path)
    assert (tmp_path / "mixed.toml").read_text() == EXPECTED
    printed = capsys.readouterr().out
    for said in ("HTTP Cookie Manager", "users here keep no cookies", "left out", "View Results Tree", "disabled"):
        assert said in printed


def test_an_imported_study_runs(bancada: Bancada, tmp_path: Path, upstream: Callable[..., Listening]) -> None:
    """The imported study measures a real server, each request of the plan in each iteration."""
    port = upstream("--delay", "5ms").address.rpartition(":")[2]
    (tmp_path / "small.jmx").write_text(plan(group(http("a", port=port), http("b", path="/b", port=port))))
    study = tmp_path / "here" / "small.toml"
    import_plan(tmp_path / "small.jmx", study)
    study.write_text(study.read_text().replace("blocks = 5", 'blocks = 1\nwarm_up = "100ms"'))
    ended = bancada("run", study)
    assert ended.returncode == 0, ended.stderr
    (trial,) = tmp_path.glob("results/*/trials/*/trial.json")
    assert '"requests":12' in trial.read_text().replace(" ", "")


def test_several_thread_groups_are_several_files(tmp_path: Path) -> None:
    """Each thread group has its file in the folder that is named; one file for all of them is refused."""
    path = tmp_path / "two.jmx"
    path.write_text(plan(group(http(), name="Read"), group(http(), name="Write")))
    import_plan(path, tmp_path / "studies")
    assert sorted(each.name for each in (tmp_path / "studies").iterdir()) == ["two-read.toml", "two-write.toml"]
    with pytest.raises(InputError, match="becomes 2 studies"):
        import_plan(path, tmp_path / "one.toml")


def test_a_study_that_was_changed_by_hand_is_not_replaced(tmp_path: Path) -> None:
    """Importing again is refused where it would undo what somebody wrote."""
    path, study = tmp_path / "small.jmx", tmp_path / "small.toml"
    path.write_text(plan(group(http())))
    import_plan(path, tmp_path)
    import_plan(path, study)
    study.write_text(study.read_text() + "# mine\n")
    with pytest.raises(InputError, match="there is another file of this name already"):
        import_plan(path, tmp_path)
    assert study.read_text().endswith("# mine\n")


def test_a_plan_that_cannot_be_imported_is_told_in_one_message(bancada: Bancada, tmp_path: Path) -> None:
    """A plan without HTTP requests says which it has instead, and no file is written."""
    (tmp_path / "bad.jmx").write_text(plan(group(element("JDBCSampler", "query"))))
    ended = bancada("import", "bad.jmx")
    refused(ended, ExitCode.PLAN, "it has no HTTP sampler", "JDBC Sampler in line 20", "bad.jmx")
    assert not list(tmp_path.glob("*.toml"))
