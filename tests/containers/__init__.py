# SPDX-License-Identifier: Apache-2.0
"""Variants that run in containers, with a real container engine."""
