# SPDX-License-Identifier: Apache-2.0
"""The report: what a reader needs is on the page, and equals the findings."""
