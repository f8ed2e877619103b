# SPDX-License-Identifier: Apache-2.0
"""The study in the report can be saved and run again."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from bancada.model.study import Study
from bancada.report.studyfile import study_toml

EVERYTHING = {
    "study": "all",
    "question": 'Does "x"\nbeat \\ y, 😀 and \x7f?',
    "operation": [
        {
            "name": "post",
            "path": "/{{user}}",
            "method": "POST",
            "headers": {"content-type": "application/json", "a b": "c"},
            "body": {"template": "{{random_int:1:9}}"},
            "check": {"status": [200, 201], "json": [1, {"b": ["c", True]}]},
        },
        {"name": "get", "path": "/"},
    ],
    "stacks": ["a:jar", "legacy=http://127.0.0.1:80"],
    "blocks": 3,
    "load": [
        {"name": "closed", "users": 3, "duration": "90s", "think": "1500us"},
        {"name": "flat", "rate": 12.5, "duration": "2min", "arrivals": "poisson"},
        {"name": "ramp", "segments": [{"duration": "500ms", "from_rate": 1, "to_rate": 2}, {"duration": 7, "rate": 2}]},
    ],
    "factors": {"HEAP MAX": ["1", "2"], "GC": ["zgc"]},
    "margin": "2.5%",
    "warm_up": "1500ms",
    "port": 8080,
    "pin": "off",
    "timeouts": {"ready": "90s"},
}


def test_a_study_written_as_toml_reads_back_equal() -> None:
    """With every kind of value that a study can hold."""
    study = Study.model_validate(EVERYTHING)
    assert Study.model_validate(tomllib.loads(study_toml(study))) == study


def test_durations_and_shares_are_written_with_their_units() -> None:
    """As a person would write them, and defaults are left out."""
    text = study_toml(Study.model_validate(EVERYTHING))
    assert 'think = "1500us"' in text
    assert 'duration = "90s"' in text
    assert 'duration = "2min"' in text
    assert 'margin = "2.5%"' in text
    assert "alpha" not in text


@given(
    question=st.text(min_size=1).filter(lambda text: not any(0xD800 <= ord(each) < 0xE000 for each in text)),
    warm_up=st.integers(min_value=0, max_value=10**14),
    margin=st.floats(min_value=0.001, max_value=0.99).map(lambda share: round(share, 6)),
)
def test_any_text_duration_and_share_survive(question: str, warm_up: int, margin: float) -> None:
    """Whatever a user asks, and to the nanosecond."""
    asked = {"question": question, "warm_up": warm_up, "margin": margin}
    study = Study.model_validate({**EVERYTHING, **asked})
    assert Study.model_validate(tomllib.loads(study_toml(study))) == study
