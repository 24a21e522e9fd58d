"""No machine reaches more than its peak: a utilization of 2 cannot be put."""

from derive import Derivation, Put, letters, number

F, P = letters.F, letters.P
MFU = number("MFU", "share of the peak that is reached", at_most=1)

time = Derivation(
    "t",
    "Arithmetic time",
    unit="s",
    start=F / (P * MFU),
    steps=[Put(MFU, 2, because="sparsity counts twice")],
)
