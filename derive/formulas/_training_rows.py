"""Letters of the chapter `training` and what it counts, row by row."""

from __future__ import annotations

from derive import BYTE, FLOP, PARAMETER, TOKEN, Ledger, count, letters, number, quantity

P = letters.P
N = quantity("N", "parameters that take part in matmuls", "parameter", filled_by="parameters.matmul")
N_any = quantity("N", "parameters", "parameter")
N_all = quantity(
    "N", "all parameters, those of every expert included", "parameter", filled_by="parameters.total"
)
D = quantity("D", "tokens trained on", "token")
F = quantity("F", "operations of training, a token", "FLOP/token", filled_by="flops.training")
C = quantity("C", "operations of the whole run", "FLOP")
C_run = quantity("C", "operations of the whole run", "FLOP", filled_by="training.flops")
n = count("n", "devices")
MFU = number("MFU", "share of the peak that is reached (model FLOPs utilization)", at_most=1)
price = quantity("price", "price of a device", "USD/(device*h)")
r = quantity("r", "tokens trained on for each parameter", "token/parameter")
I = quantity("I", "tokens served over the model's life", "token")
E = number("E", "loss that no size and no data remove", role="convention.loss_floor")
A = number("A", "size of the loss's term in N", role="convention.loss_size")
B = number("B", "size of the loss's term in D", role="convention.loss_data")
a = number("alpha", "exponent of N in the loss", role="convention.loss_size_exponent")
b = number("beta", "exponent of D in the loss", role="convention.loss_data_exponent")
x = number("N", "parameters, as a plain number")
y = number("D", "tokens, as a plain number")
loss = number("loss", "loss that the model is trained to, in nats a token")
y_loss = number("D", "tokens, as a plain number", filled_by="training.tokens_for_loss")
z = number("I", "tokens served over the model's life, as a plain number", nonnegative=True)
saved = quantity("saved", "bytes of a checkpoint", "byte", filled_by="training.checkpoint_bytes")
W_s = quantity("W_s", "bandwidth to the storage, of all devices together", "byte/s")
t_s = quantity("t_s", "time to write a checkpoint", "s", filled_by="training.checkpoint_io")
t_step = quantity("t_step", "time of a training step", "s")
k = count("k", "steps between two checkpoints")
tau = quantity("tau", "time between two checkpoints", "s")
M = quantity("M", "mean time between failures of the whole job", "s")

A_WEIGHT = FLOP / (PARAMETER * TOKEN)

life = Ledger(
    ("training", "forward and backward pass of every token", 6 * N * D * A_WEIGHT),
    ("serving", "a forward pass of every token", 2 * N * I * A_WEIGHT),
    title="training and serving",
)
only_training = Ledger(
    ("training", "forward and backward pass of every token", 6 * N * D * A_WEIGHT), title="training alone"
)
life_to_loss = Ledger(
    ("training", "as many tokens as the loss takes", 6 * x * y_loss * FLOP),
    ("serving", "a forward pass of every token", 2 * x * z * FLOP),
)
losing = Ledger(
    ("what stays", "the entropy of the text itself", E),
    ("too few parameters", A / x**a),
    ("too few tokens", B / y**b),
)
kept = Ledger(
    ("16-bit weights", 2 * N_all * BYTE / PARAMETER),
    ("fp32 master weights", 4 * N_all * BYTE / PARAMETER),
    ("Adam's first moment m", "fp32", 4 * N_all * BYTE / PARAMETER),
    ("Adam's second moment v", "fp32", 4 * N_all * BYTE / PARAMETER),
    title="what a run goes on from",
)
state = Ledger(
    ("16-bit weights", 2 * N_all * BYTE / PARAMETER),
    ("16-bit gradients", "summed anew at every step", 2 * N_all * BYTE / PARAMETER),
    ("fp32 master weights", 4 * N_all * BYTE / PARAMETER),
    ("Adam's first moment m", "fp32", 4 * N_all * BYTE / PARAMETER),
    ("Adam's second moment v", "fp32", 4 * N_all * BYTE / PARAMETER),
    title="the training state",
)
written = Ledger(("writing one checkpoint", t_s), title="writing")
period = Ledger(("writing one checkpoint", t_s), ("steps until the next", k * t_step), title="a period")
lost = Ledger(
    ("writing", "t_s in every tau of work", t_s / tau),
    ("work repeated", "a failure loses half a period on average", tau / (2 * M)),
)
