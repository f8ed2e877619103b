# SPDX-License-Identifier: Apache-2.0
"""A published study run again, read from the stored runs of its parts alone.

judge       each claim: confirmed, contradicted or undecided
tables      the study's own tables, measured and as printed
reanalysis  the paper's derived figures, computed again from what it prints
audit       printed figures and sentences that cannot be right

Nothing here measures, reads the network or writes.
"""
