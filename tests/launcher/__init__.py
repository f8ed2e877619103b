# SPDX-License-Identifier: Apache-2.0
"""Tests of the launcher, in real copies of the project."""
