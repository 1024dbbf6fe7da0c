# %% Where to put the gripper when the robot is off (docs/how-to/robot-error.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml")
run = gm.run(config, "outputs/quick", resume=True)

# %% An error of 2 mm in x and y (standard deviations)
best = run.plan(sigma_mm=(2, 2))
print(f"({best.x_mm:g}, {best.y_mm:g}) mm: {100 * best.success:.1f} %, {best.interval}")
print(best.placements[0].outcomes)
best  # in a notebook: the command's text and figure

# %% How success falls with the error
for sigma_mm in (0.5, 1, 2, 3, 4):
    plan = run.plan(sigma_mm=sigma_mm)
    print(f"{sigma_mm:3g} mm: ({plan.x_mm:g}, {plan.y_mm:g}) mm, {100 * plan.success:.1f} %")

# %% The largest error that still allows 95 %
limit = run.plan(required_probability=0.95).required.normal.confidence
print(f"95 % succeed up to an error of {limit.sigma_x_mm:g} mm, with 95 % confidence")

# %% A spread that is known from 10 repeats, and an offset
plan = run.plan(sigma_mm=1, repeats=10, offset_sigma_mm=0.5)
print(f"{100 * plan.success:.1f} %, {plan.interval}")

# %% The command's files: plan.json, plan.csv
print(sorted(file.name for file in plan.save("outputs/quick/plan", figures=False).iterdir()))
