# SPDX-License-Identifier: Apache-2.0
"""The life of a system under test: built, started, found ready, found right, stopped."""
