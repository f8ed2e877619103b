# SPDX-License-Identifier: Apache-2.0
"""The terminal: what is shown there fits it, and equals the findings."""
