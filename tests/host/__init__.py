# SPDX-License-Identifier: Apache-2.0
"""Tests of the host: facts, noise, CPUs, tools and checks."""
