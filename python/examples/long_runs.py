# %% Stop a run, go on, and add trials (docs/how-to/long-runs.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml", {"sweep.trials_per_cell": 200})


# %% A run that stops itself when it knows enough
def enough(progress):
    return progress.done < 500  # False ends the run; what is done is kept


run = gm.run(config, "outputs/stopped", overwrite=True, threads=1, progress=enough)
print(run)

# %% It goes on, perhaps another day: gm.open("outputs/stopped").resume()
run.resume()
print(run, run.digest)

# %% More trials in each cell narrow the intervals
before = run.success_interval
run.extend(400)
print(f"{before} with 200 trials in each cell, {run.success_interval} with 400")

# %% Fewer trials: adaptive sampling puts them where they tell most
adaptive = gm.run(config.copy({"sweep.sampling": "adaptive", "sweep.trials_per_cell": 200,
                               "sweep.adaptive.most_trials": 3000}),
                  "outputs/adaptive", overwrite=True)
print(adaptive, adaptive.sweet_spot.x_mm, adaptive.sweet_spot.y_mm)
