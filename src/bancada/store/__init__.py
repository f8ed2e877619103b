# SPDX-License-Identifier: Apache-2.0
"""Results on disk: a run is a folder, written trial by trial and readable for years."""
