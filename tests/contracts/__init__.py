# SPDX-License-Identifier: Apache-2.0
"""Tests of what crosses to the load engine."""
