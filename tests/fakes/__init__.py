# SPDX-License-Identifier: Apache-2.0
"""Stand-ins whose truth is known, usable by hand."""
