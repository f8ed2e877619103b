# SPDX-License-Identifier: Apache-2.0
"""What `bancada verify` shows."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from bancada.conductor.verify import Verification
from bancada.console.screen import out


def show_verification(verification: Verification) -> None:
    """Who was asked what, and every mistake."""
    table = Table(title=f"Contract of {verification.scenario}", title_justify="left", header_style="bold")
    table.add_column("system under test", overflow="fold")
    table.add_column("known answers", justify="right")
    table.add_column("generated")
    table.add_column("mistakes", justify="right")
    labels = dict.fromkeys([*verification.asked, *(label for label, _ in verification.mistakes)])
    for label in labels:
        count = sum(each == label for each, _ in verification.mistakes)
        style = "bold red" if count else "green"
        generated = verification.generated.get(label, "none: no contract" if not verification.contract else "failed")
        table.add_row(escape(label), str(verification.asked.get(label, 0)), generated, f"[{style}]{count or 'none'}[/]")
    out.print(table)
    if verification.compared:
        out.print(f"{verification.compared} answers compared among all.")
    for label, wrong in verification.mistakes:
        out.print(f"[bold red]{escape(label)}[/] {escape(wrong)}", soft_wrap=True)
