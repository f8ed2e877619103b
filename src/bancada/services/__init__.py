# SPDX-License-Identifier: Apache-2.0
"""Databases behind the systems under test: found or fetched once for a run, fresh and empty for each trial."""
