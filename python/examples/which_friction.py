# %% Which friction an experiment had (docs/how-to/which-friction.md)
import graspmap as gm

# A broad run on 4 x 4 cells, and an "experiment" whose jaw friction was 0.11 to 0.25.
config = gm.load("configs/lock_piece_quick.toml",
                 {"placement.x_cells": 4, "placement.y_cells": 4, "sweep.trials_per_cell": 400})
run = gm.run(config, "outputs/broad", resume=True)
truth = {"friction.jaw": {"distribution": "uniform", "min": 0.11, "max": 0.25}}
lab = gm.run(config.copy({**truth, "sweep.trials_per_cell": 40, "sweep.seed": 1996}), "outputs/lab",
             resume=True)

# %% The experiment as a table of cells
x_mm, y_mm = lab.map.edges("x_mm"), lab.map.edges("y_mm")
cells = [(i, j) for i in range(4) for j in range(4)]
experiment = {
    "x_min_mm": [x_mm[i] for i, j in cells], "x_max_mm": [x_mm[i + 1] for i, j in cells],
    "y_min_mm": [y_mm[j] for i, j in cells], "y_max_mm": [y_mm[j + 1] for i, j in cells],
    "trials": [int(lab.map.trials[i, j, 0]) for i, j in cells],
    "successes": [int(lab.map.count("success")[i, j, 0]) for i, j in cells],
}

# %% The posterior
fit = run.calibrate(experiment, origin="simulated")
for name, learned in fit.parameters.items():
    print(f"{name:22} {learned.mean:.3f}, {learned.interval}, "
          f"{learned.sd_ratio:.2f} of the prior's deviation")
print(f"does any distribution fit? p = {fit.fit.p_value:.2g}")
print(fit.posterior["friction.jaw.mean"][:3])

# %% The map under the mean distributions, and the best placement after the calibration
print(run.reweight(fit.mean_laws).map)
print(run.plan(sigma_mm=2, after=fit).interval)

# Where the distribution is narrow, or the placements are on a lattice: run.calibrate(..., simulate=True,
# with_=["offset"]) simulates trials at the experiment's own placements; 10 to 60 s.
