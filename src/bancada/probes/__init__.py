# SPDX-License-Identifier: Apache-2.0
"""Sources of measurements that are attached to a system under test during a trial."""
