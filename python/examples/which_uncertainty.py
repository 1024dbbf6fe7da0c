# %% Which uncertainty matters for success (docs/how-to/which-uncertainty.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml",
                 {"placement.x_cells": 5, "placement.y_cells": 5, "sweep.trials_per_cell": 80})
run = gm.run(config, "outputs/coarse", resume=True)

# %% On the whole map: Sobol indices
found = run.sensitivity()
for effect in found.inputs:
    print(f"{effect.input:10} alone {effect.first_order.value:.2f} {effect.first_order.interval}, "
          f"with others {effect.total.value:.2f} {effect.total.interval}")
print(f"position alone {found.groups.position_alone.value:.2f}, "
      f"friction alone {found.groups.friction_alone.value:.2f}")

# %% Around one placement of a robot that is off by 2 mm
near = run.sensitivity((0, -7), sigma_mm=2)
print({effect.input: round(effect.total.value, 2) for effect in near.inputs})

# %% By cell
cells = found.table("sensitivity.csv")
known = cells[cells["state"] == "known"]
print(f"{len(known)} of {len(cells)} cells have a success that varies enough to tell")
