# SPDX-License-Identifier: Apache-2.0
"""JMeter's files, and a real JMeter to hold ours against."""
