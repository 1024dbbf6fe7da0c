# %% The trials in a program of one's own (docs/how-to/own-analysis.md)
import numpy as np

import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml")
run = gm.run(config, "outputs/quick", resume=True)

# %% All trials of the run, as a structured array
trials = run.trials
held = trials[trials["outcome"] == gm.Outcome.SUCCESS]
print(f"{len(held)} of {len(trials)} succeed; the part lies at y = {held['part_y_mm'].mean():.4f} mm then")

# %% Success by the friction of the jaws, in ten classes
edges = np.linspace(trials["mu_jaw"].min(), trials["mu_jaw"].max(), 11)
for low, high in zip(edges[:-1], edges[1:]):
    some = trials[(trials["mu_jaw"] >= low) & (trials["mu_jaw"] <= high)]
    print(f"{low:.3f} to {high:.3f}: {np.mean(some['outcome'] == gm.Outcome.SUCCESS):.2f}")

# %% Grasps that you choose: along a line, each with the same friction
y_mm = np.linspace(-20, 0, 41)
chosen = gm.simulate(config, x_mm=0, y_mm=y_mm, theta_rad=0, mu_jaw=0.2, mu_support=0.3)
print(f"on the line x = 0 mm: {chosen.success.sum()} of {len(y_mm)} succeed")
