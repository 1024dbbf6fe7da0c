# %% A design loop: the closing force that succeeds most often when the robot is off
#
# The same placements and frictions are simulated with each force (common random numbers). What is
# maximised is then a function without noise, and differences are those of the same trials.
import numpy as np
from scipy.optimize import minimize_scalar

import graspmap as gm

AIM_MM, SIGMA_MM, TRIALS = (0.0, -7.0), 3.0, 1000
config = gm.load("configs/lock_piece.toml")


def drawn(seed):
    """Placements of a robot that aims at AIM_MM, and frictions from the configuration's distributions."""
    random = np.random.default_rng(seed)
    jaw, support = config.friction.jaw, config.friction.support
    return {"x_mm": random.normal(AIM_MM[0], SIGMA_MM, TRIALS),
            "y_mm": random.normal(AIM_MM[1], SIGMA_MM, TRIALS),
            "mu_jaw": random.uniform(jaw.min, jaw.max, TRIALS),
            "mu_support": random.uniform(support.min, support.max, TRIALS)}


def succeeds(force_n, trials):
    """Which of the trials succeed with a closing force."""
    return gm.simulate(config.copy({"gripper.closing_force_n": force_n}), **trials).success


# %% The search, in the logarithm of the force: from 1 to 64 N
trials = drawn(seed=1)
steps = []


def failure_share(log2_force):
    share = 1 - succeeds(2**log2_force, trials).mean()
    steps.append((2**log2_force, 1 - share))
    return share


found = minimize_scalar(failure_share, bounds=(0, 6), method="bounded", options={"xatol": 0.1})
best_n = 2**found.x
for force_n, success in steps:
    print(f"{force_n:6.2f} N: {100 * success:.2f} %")
print(f"best: {best_n:.1f} N after {found.nfev} simulations of {TRIALS} trials")

# %% How much better than other forces: on trials that did not choose it, in pairs
fresh = drawn(seed=2)
best = succeeds(best_n, fresh)
for force_n in (1, 64):
    gain = best.astype(float) - succeeds(force_n, fresh)
    alone = np.sqrt(2 * best.var() / TRIALS)
    print(f"better than {force_n} N by {100 * gain.mean():.2f} points, standard error "
          f"{100 * gain.std() / np.sqrt(TRIALS):.2f} (with other random numbers: {100 * alone:.2f})")
