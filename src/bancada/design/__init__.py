# SPDX-License-Identifier: Apache-2.0
"""From a study to an ordered plan: pure and seeded."""
