# SPDX-License-Identifier: Apache-2.0
"""What Bancada talks about: frozen data without input or output. The words are those of `docs/glossary.md`."""
