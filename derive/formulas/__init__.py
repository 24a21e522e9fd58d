"""The chapters of the catalogue, one module each; `derive.catalogue` finds them by name."""

ORDER = (
    "roofline",
    "matmul",
    "elementwise",
    "attention",
    "decode",
    "formats",
    "parameters",
    "flops",
    "utilization",
    "memory",
    "collectives",
    "cpu",
    "training",
    "serving",
    "parallelism",
    "energy",
)
