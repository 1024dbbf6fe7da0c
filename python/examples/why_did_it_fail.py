# %% Why a grasp failed (docs/how-to/why-did-it-fail.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml")
run = gm.run(config, "outputs/quick", resume=True)

# %% A cell with failures, and its first trial that is wedged
wedged = run.trial(cell=(0, -3), outcome="wedged")
print(wedged.story)
wedged.draw()  # in a notebook: a strip of its key moments; wedged.animate() moves

# %% The motion as an array
path = wedged.trajectory
print(f"{len(path)} steps; the part turns by {path['part_theta_rad'][-1] - path['part_theta_rad'][0]:.3g} rad")

# %% What would have helped? The same placement with other friction
row = wedged.row
for mu_jaw in (0.05, 0.15, 0.25, 0.35):
    other = gm.trial(config, x_mm=row["x_mm"], y_mm=row["y_mm"], theta_rad=row["theta_rad"],
                     mu_jaw=mu_jaw, mu_support=row["mu_support"])
    print(f"friction of the jaws {mu_jaw:g}: {other.outcome}")
