# SPDX-License-Identifier: Apache-2.0
"""The report of a run: one page that opens offline, and the same figures as JSON, CSV, Markdown and charts."""
