# SPDX-License-Identifier: Apache-2.0
"""What a person at a terminal sees; the only part that prints."""
