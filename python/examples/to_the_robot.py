# %% The grasps for my robot, and a camera's error (docs/how-to/to-the-robot.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml")
run = gm.run(config, "outputs/quick", resume=True)

# %% The best placements as grasps: fields, and the files of grasps.json, MoveIt, Isaac and URScript
table = {"robot_points_mm": [400, -120, 15, 400, 80, 15, 250, -120, 15],
         "plane_points_mm": [(0, 0), (200, 0), (0, 150)]}
grasps = run.grasps(height_mm=10, sigma_mm=1, joints=["left", "right"], **table)
print(grasps)
print(grasps.runs[0].grasps[0].tool_in_robot.position_mm, "mm")
print(sorted(grasps.files))

# %% What a camera found, ten times, of a part that lay still
looks = {"x_mm": [100.1, 100.0, 99.9, 100.1, 99.9, 100.0, 99.9, 99.9, 100.1, 100.0],
         "y_mm": [50.0, 49.9, 50.1, 50.0, 49.9, 50.1, 50.0, 50.1, 49.9, 50.0]}
camera = gm.detections(looks, positions_only=True)
print(f"p = {camera.drift_p_value:.2g} without drift; {camera.misses} misses")

# %% Where to put the gripper under that error
plan = run.plan(measured=camera)
print(f"({plan.x_mm:g}, {plan.y_mm:g}) mm: {100 * plan.success:.1f} %")

# %% On the map, where matplotlib is installed
try:
    gm.plot.placements(grasps, ax=gm.plot.map(run)).figure.savefig("outputs/grasps.png")
except ImportError as error:
    print(error)
