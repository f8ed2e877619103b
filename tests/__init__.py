# SPDX-License-Identifier: Apache-2.0
"""Tests; they mirror src/bancada."""
