"""How many fit: the room for all over what one takes, told in the sentences before or in the same one."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _false(text: str) -> list[tuple[str, str, str]]:
    return [
        (claim.claimed, claim.expected, claim.cause)
        for claim in check_text(text).claims
        if claim.verdict == "false"
    ]


@pytest.mark.parametrize(
    ("text", "expected", "cause"),
    [
        (
            "The 36 GB of the cache hold about 274,000 tokens. "
            "If every dialogue grows to 8,192 tokens that is 66 dialogues.",
            "33 dialogues",
            "counted twice",
        ),
        (
            "So there is room for about 54,000 tokens. With requests of 3,000 tokens each, around 36 requests fit.",
            "18 requests",
            "counted twice",
        ),
        (
            "A request at full length takes 2.4 GB. "
            "With 240 GB of the node given to the cache, we can hold 231 of them.",
            "100",
            "so many do not fit",
        ),
        (
            "After the weights 64 GB remain for the cache. Each session of 16k tokens needs 2 GB. "
            "The card therefore serves 64 sessions at once.",
            "32 sessions",
            "counted twice",
        ),
        (
            "The log says: KV cache size: 412,000 tokens. For prompts of 10,300 tokens this means 80 prompts.",
            "40 prompts",
            "counted twice",
        ),
        (
            "A LoRA adapter weighs 80 MB. If 4 GB are set aside for adapters, 25 of them stay resident.",
            "50",
            "counted twice",
        ),
        (
            "A block covers 16 tokens. The pool of 320,000 tokens has 40,000 blocks.",
            "20000 blocks",
            "counted twice",
        ),
        (
            "Snapshots are 35 GB each. The 1 TB disk therefore fits 57 snapshots.",
            "28 snapshots",
            "counted twice",
        ),
        (
            "A checkpoint is 1.2 TB. Our quota on the file system is 60 TB, enough for 500 checkpoints.",
            "50 checkpoints",
            "power of ten",
        ),
        (
            "In 4,000,000 tokens of cache 500 users fit at 8,000 tokens each. A user of 2,000 tokens is usual: "
            "that makes 1,000 users.",
            "2000 users",
            "counted twice",
        ),
        (
            "40.8 GB / 0.34 GB = 120. At the long context a user needs 2.72 GB, so it is only 30 users.",
            "15 users",
            "counted twice",
        ),
    ],
)
def test_a_number_that_does_not_fit_is_false(text: str, expected: str, cause: str) -> None:
    ((_, right, why),) = _false(text)
    assert right.split(maxsplit=1)[0] == expected.split(maxsplit=1)[0]
    assert why.startswith(cause)


@pytest.mark.parametrize(
    "text",
    [
        "So there is room for about 54,000 tokens. With requests of 3,000 tokens each, around 18 requests fit.",
        "A sequence takes 1.07 GB. Each of the two cards has 44 GB left, so the pair holds 82 sequences.",
        "Each session needs 2 GB. On a card 64 GB remain. The server with four cards therefore holds 128 sessions.",
        "Each session needs 2 GB. On a card 64 GB remain. The whole node therefore holds 256 sessions.",
        "A request of 2,000 tokens is usual, and there is room for 32,000 tokens. With prefix caching 32 requests fit, "
        "because they share the first half.",
        "A checkpoint weighs 500 GB. The volume has 20 TB free, so we keep 4 checkpoints.",
        "A pool of 32,768 tokens is cut in blocks. A block has 16 tokens. A request of 4,096 tokens has 256 blocks.",
        "The card has 80 GB. A sequence takes 2.5 GB. So 16 fit after the weights are loaded.",
        "A sequence takes 1 GB in BF16, and 40 GB are left. Stored in 8 bits, 80 sequences fit.",
        "A user takes 1 GB of cache and 40 GB are left for the cache. The service has 200 users.",
        "A sequence of 4,096 tokens needs 0.5 GB and 64 GB are free. Since most are half as long, 256 sequences fit.",
        "At 8,192 tokens per conversation the 423,000 tokens of the pool hold 51 of them; at 2,048 tokens, about 206.",
        "The cache holds 48 GB. One user at 32k tokens takes 4 GB. That makes 12 users, or 24 users at 16k.",
        "A sequence takes 0 GB and the cache holds 48 GB. That makes 12 sequences.",
        "A sequence takes 1e300 GB and the cache holds 1e-300 GB. That makes 12 sequences.",
    ],
)
def test_what_fits_or_may_fit_is_left_alone(text: str) -> None:
    assert not _false(text)
