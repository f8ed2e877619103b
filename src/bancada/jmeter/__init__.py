# SPDX-License-Identifier: Apache-2.0
"""Apache JMeter's files: result files (JTL) to and from samples, and test plans."""
