# %% Which tolerance to tighten, and which to give away (docs/how-to/tolerances.md)
from pathlib import Path

import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml",
                 {"placement.x_cells": 5, "placement.y_cells": 5, "sweep.trials_per_cell": 8})
run = gm.run(config, "outputs/tolerances_quick", resume=True)

# %% What is offered: half widths of friction, robots
costs = Path("outputs/costs.toml")
costs.write_text("""unit = "EUR"
[[input]]
key = "friction.jaw"
grades = [[0.15, 0], [0.1, 0.4], [0.05, 1.5]]
[[input]]
keys = ["robot.x_mm", "robot.y_mm"]
grades = [[4, 0], [3, 1], [2, 2.5]]
""")

# %% The cheapest set that lets 90 % of the grasps succeed, checked by new grasps
found = run.tolerances((0, -10), 0.9, costs, sigma_mm=4, trials=500, check_trials=2000)
for width in found.cheapest.widths:
    print(f"{' and '.join(width.keys)}: {width.width:g}, costs {width.cost:g}")
print(f"{found.cheapest.cost:g} EUR, not {found.equal_shares.cost:g} in equal shares; "
      f"{found.today.success_probability:.3f} -> {found.cheapest.success_probability:.3f} "
      f"{found.cheapest.interval}, promised: {found.promised}")
