# SPDX-License-Identifier: Apache-2.0
"""The commands: each parses, calls, and says with which exit code it ends."""
