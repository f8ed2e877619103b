# SPDX-License-Identifier: Apache-2.0
"""Bancada: a test bench for server stacks."""

__version__ = "0.1.0"
