# SPDX-License-Identifier: Apache-2.0
"""Start programs that cannot outlive the bench, whatever ends it."""
