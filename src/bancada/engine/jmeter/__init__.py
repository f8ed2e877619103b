# SPDX-License-Identifier: Apache-2.0
"""Apache JMeter as a second load engine: the same orders, carried out by the tool that published studies used."""
