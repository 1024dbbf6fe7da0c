# %% The table's friction under a part, from measured pushes (docs/how-to/table-friction.md)
import graspmap as gm

fit = gm.fit_support("configs/pushes/simulated_tripod.csv", weight_n=8, folds=3, resamples=10,
                     points=[(40, 10), (-13, 17), (-5, -35)])

# %% Which model foretells best what it has not seen
for model in fit.models:
    print(f"{model.model:20} twist off by {model.twist_error_deg:5.2f} degrees, "
          f"{model.twist_error_deg_interval}")
print(f"best: {fit.best}; the simplest that is not told apart: {fit.simplest_not_told_apart}")

# %% Into a configuration
config = gm.load("configs/lock_piece_quick.toml").copy({"support": fit.support})
print(config.support)
