"""What every program of this folder prints: one JSON object of quantities and values."""

import json


def report(example, values):
    """`values` yields (quantity, value); quantities are named as the rows of `graspmap-lab validate`."""
    print(json.dumps({"example": example, "values": dict(values)}, indent=2))
