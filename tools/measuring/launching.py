"""Starts the ranks of the collectives: torchrun on this machine, and what rank 0 hands over to its parent."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from derive.errors import DeriveError
from derive.measurements import dump, load
from measuring import collectives as measured
from measuring.session import Findings, Section, Session

_ERROR = re.compile(r"^(measure: |[\w.]*(Error|Exception): ).+$", re.MULTILINE)
_LONGEST = 600  # seconds after which ranks that wait for each other are given up


def collectives(
    session: Session,
    script: Path,
    *,
    ranks: int,
    sizes: Sequence[int] = (),
    oversubscribe: bool = False,
    hand_over: Path | None = None,
) -> Findings | None:
    """Inside torchrun, measure; elsewhere, start `ranks` processes of `script` on this machine and wait for them.

    hand_over: where rank 0 leaves its findings. Raises DeriveError for more ranks than cores
    unless `oversubscribe`, and where a rank fails.
    """
    backend = "nccl" if session.device == "cuda" else "gloo"
    if "RANK" in os.environ:
        if hand_over is None:  # else the parent has checked
            local = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
            measured.check_ranks(local, backend=backend, oversubscribe=oversubscribe)
        found = measured.run(session, backend=backend, sizes=sizes)
        if found is None or hand_over is None:
            return found
        hand_over.write_text(written(found), "utf-8")
        return None
    if ranks < 2:
        raise DeriveError(f"{ranks} ranks exchange nothing: give --ranks 2 or more")
    measured.check_ranks(ranks, backend=backend, oversubscribe=oversubscribe)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "findings.json"
        logs = Path(folder) / "logs"  # a file a rank: in one stream their lines would run into each other
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
        command += ["--redirects", "2", "--log-dir", str(logs)]
        command += [str(script), "collectives", "--device", session.device, "--hand-over", str(path)]
        command += ["--quick"] if session.quick else []
        command += ["--sizes", ",".join(map(str, sizes))] if sizes else []
        _start(command, logs)
        if not path.is_file():
            raise DeriveError(
                "the ranks ended without a result: run tools/measure.py collectives under torchrun"
            )
        found = read(path, session)
    several = (
        f"On several machines run on each: torchrun --nnodes=M --nproc-per-node={ranks} --rdzv-backend=c10d "
        "--rdzv-endpoint=HOST:29500 tools/measure.py collectives"
    )
    found.remark(several)
    return found


def _start(command: Sequence[str], logs: Path) -> None:
    # one thread a rank, as torchrun would set with a warning
    environment = {"OMP_NUM_THREADS": "1", **os.environ}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DeriveError(f"the ranks did not end within {_LONGEST} s: give smaller --sizes") from error
    if done.returncode:
        texts = [log.read_text("utf-8", "replace") for log in sorted(logs.rglob("stderr.log"))]
        said = next(filter(None, map(_ERROR.search, texts)), None)
        raise DeriveError(f"a rank failed: {said[0].strip()[:200] if said else 'it said nothing'}")


def written(found: Findings) -> str:
    own = dump(found.measurements) if found.measurements else ""
    sections = [asdict(section) for section in found.sections]
    return json.dumps({"sections": sections, "wrong": found.wrong, "measurements": own})


def read(path: Path, session: Session) -> Findings:
    told = json.loads(path.read_text("utf-8"))
    sections = [
        Section(one["title"], tuple(one["columns"]), [tuple(row) for row in one["rows"]], tuple(one["notes"]))
        for one in told["sections"]
    ]
    measurements = []
    if told["measurements"]:
        path.write_text(told["measurements"], "utf-8")
        measurements = [
            session.measurement(
                one.id,
                one.value,
                one.unit,
                one.how,
                given=one.given,
                spread=one.spread,
                samples=one.samples,
                trusted=one.trusted,
            )
            for one in load(path)
        ]
    return Findings(sections, measurements, told["wrong"])
