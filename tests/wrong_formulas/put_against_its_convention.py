"""e is filled by the convention for stored elements, which says 2 bytes unless another is chosen."""

from derive import BYTE, Derivation, Put, letters

e, W = letters.e, letters.W

transfers = Derivation(
    "n",
    "Elements moved in a second",
    unit="1/s",
    start=W / e,
    steps=[Put(e, 4 * BYTE, because="bf16 stores an element in 2 bytes")],
)
