"""What tests of training ask of a run folder."""

import json

from safetensors.numpy import load_file


def contents(path):
    """What counts of a finished run: everything but the time that it took."""
    rows = [json.loads(line) for line in (path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    players = {p.relative_to(path).as_posix(): load_file(p) for p in path.rglob("*.safetensors") if p.name[0] != "."}
    tensors = {f"{file}/{name}": part.tobytes() for file, found in players.items() for name, part in found.items()}
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows], tensors
