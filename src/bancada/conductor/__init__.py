# SPDX-License-Identifier: Apache-2.0
"""Carry a study out: prepare, conduct trial by trial, verify."""
