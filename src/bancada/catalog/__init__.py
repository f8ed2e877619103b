# SPDX-License-Identifier: Apache-2.0
"""From files to the model: studies, scenarios and stacks, read strictly."""
