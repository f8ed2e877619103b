# SPDX-License-Identifier: Apache-2.0
"""From the store to findings, offline: everything here can be run again years later from a run's folder alone."""
