"""Training costs three forward passes: 6N a token, not 2N."""

from derive import FLOP, PARAMETER, TOKEN, Derivation, Equal, Use, get, quantity

N = quantity("N", "parameters that take part in matmuls", "parameter", filled_by="parameters.matmul")
D = quantity("D", "tokens trained on", "token")
F = quantity("F", "operations of training, a token", "FLOP/token")

run = Derivation(
    "C",
    "Operations of a training run",
    unit="FLOP",
    start=F * D,
    steps=[
        Use(F, get("flops.training")),
        Equal(2 * N * D * FLOP / (PARAMETER * TOKEN), because="two operations a weight and token"),
    ],
)
