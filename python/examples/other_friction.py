# %% The map under other friction, without new simulations (docs/how-to/other-friction.md)
import numpy as np

import graspmap as gm

run = gm.run(gm.load("configs/lock_piece_quick.toml"), "outputs/quick", resume=True)

# %% One key of a distribution, or a whole distribution
found = run.reweight({"friction.jaw.max": 0.25})
print(f"success {found.stored.success_probability:.3f} -> {found.now.success_probability:.3f}, "
      f"{found.now.success_interval}")

# %% The map: arrays over x_mm, y_mm, theta_rad
change = np.asarray(found.map.success) - np.asarray(run.map.success)
i, j, _ = np.unravel_index(np.nanargmax(np.abs(change)), change.shape)
print(f"changes most at ({run.map.x_mm[i]:g}, {run.map.y_mm[j]:g}) mm: by {change[i, j, 0]:+.2f}")
print(f"the stored trials are worth {found.effective_trials:.0f} of {found.trials}")

# %% Distributions that the stored trials do not cover are refused
try:
    run.reweight({"friction.jaw.max": 0.6})
except gm.ConfigError as error:
    print(error)
