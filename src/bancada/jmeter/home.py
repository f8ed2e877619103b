# SPDX-License-Identifier: Apache-2.0
"""An installed JMeter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class JMeter:
    """A JMeter of this host and the Java that runs it."""

    home: Path
    """What JMETER_HOME names: the folder with `bin/ApacheJMeter.jar`."""
    version: str
    java: Path
    """The program `java`."""

    @property
    def jar(self) -> Path:
        """What Java is told to run, as in `java -jar …`."""
        return self.home / "bin" / "ApacheJMeter.jar"
