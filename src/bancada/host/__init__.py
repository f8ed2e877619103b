# SPDX-License-Identifier: Apache-2.0
"""The machine that measures: what it is, how quiet it is, how its CPUs are shared out, and which tools it has."""
