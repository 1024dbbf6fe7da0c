# %% Which finger grasps best (docs/how-to/design.md)
import graspmap as gm

shaft = gm.load("configs/shaft_from_above.toml", {
    "robot.position_sigma_mm": 2,
    "design.variable": [{"key": "gripper.finger.groove_depth_mm", "min": 1, "max": 7, "step": 0.5}]})
found = gm.design(shaft, designs=16, generations=1, most_trials=128, trials=1000)
gain = found.gains[0]
print(f"{found.words}: success better by {gain.value:.3f}, {gain.interval}")

# %% What each variable is worth, and how exactly it must be made
for one in found.variables:
    off = ["any" if end is None else f"{end:.2g}" for end in (one.down, one.up)]
    print(f"{one.key}: {one.worth:.3f}, may be off by -{off[0]} and +{off[1]}")

# %% The best finger, as a drawing and in a run
print(f"{len(found.finger_dxf)} letters of DXF")
better = found.config.copy({"placement.x_cells": 4, "placement.y_cells": 4, "sweep.trials_per_cell": 20})
print(gm.run(better, "outputs/best_finger").sweet_spot)
