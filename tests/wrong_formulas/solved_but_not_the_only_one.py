"""Two tile sizes cost the same, T and 1: nothing here says why this is the one."""

from derive import Derivation, Solve, count

B = count("B", "rows of a tile")
T = count("T", "sequence length")

tile = Derivation(
    "B",
    "Tile whose cost is T + 1",
    unit="dimensionless",
    start=B,
    steps=[Solve(B, B + T / B, T + 1, gives=T, because="the cost of the tile is set equal to T + 1")],
)
