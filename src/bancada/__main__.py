# SPDX-License-Identifier: Apache-2.0
"""`python -m bancada` is the same as the `bancada` command."""

from bancada.cli.app import main

main()
