# %% How the part lies in the hand after the grasp (docs/how-to/pose-in-hand.md)
import graspmap as gm

run = gm.run(gm.load("configs/lock_piece_quick.toml"), "outputs/quick", resume=True)

# %% On the plateau
pose = run.pose(plateau=True)
for axis in ("x_mm", "y_mm", "theta_rad", "opening_mm"):
    print(f"{axis:10} {pose.mean[axis]:9.4f} +- {pose.mean_half_width[axis]:.4f}, "
          f"deviates by {pose.standard_deviation[axis]:.4f}")

# %% The groups that the poses form
for mode in pose.modes:
    print(f"{100 * mode.share:5.1f} %  y = {mode.mean.y_mm:.2f} mm, "
          f"left jaw on {mode.left_touches}, right jaw on {mode.right_touches}")

# %% At one placement, with the robot's error
print(run.pose((0, -11), sigma_mm=2).mean)
