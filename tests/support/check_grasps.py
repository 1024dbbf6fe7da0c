"""check_grasps.py FILE.yaml: reads grasps of `graspmap export` with PyYAML, and checks them.

A list is checked against the messages that moveit_msgs 2.6.0 (msg/Grasp.msg, commit 55f802f) and
common_interfaces 5.4.2 (commit c0c0bc5) define; what a message has besides keeps its default. An
object is checked against isaac_grasp 1.0 as Isaac Sim ("Grasp Editor") and Isaac ROS ("Isaac Grasp
File") describe it. Prints, for each grasp, its quality, its position and the quaternion w x y z. Exit code 77
without PyYAML.
"""
import math
import sys

try:
    import yaml
except ImportError:
    sys.exit(77)

MESSAGES = {
    "Grasp": {"id": "string", "pre_grasp_posture": "JointTrajectory", "grasp_posture": "JointTrajectory",
              "grasp_pose": "PoseStamped", "grasp_quality": "float64", "pre_grasp_approach": "GripperTranslation",
              "post_grasp_retreat": "GripperTranslation", "post_place_retreat": "GripperTranslation",
              "max_contact_force": "float32", "allowed_touch_objects": "string[]"},
    "GripperTranslation": {"direction": "Vector3Stamped", "desired_distance": "float32", "min_distance": "float32"},
    "JointTrajectory": {"header": "Header", "joint_names": "string[]", "points": "JointTrajectoryPoint[]"},
    "JointTrajectoryPoint": {"positions": "float64[]", "velocities": "float64[]", "accelerations": "float64[]",
                             "effort": "float64[]", "time_from_start": "Duration"},
    "PoseStamped": {"header": "Header", "pose": "Pose"},
    "Vector3Stamped": {"header": "Header", "vector": "Vector3"},
    "Pose": {"position": "Point", "orientation": "Quaternion"},
    "Point": {"x": "float64", "y": "float64", "z": "float64"},
    "Vector3": {"x": "float64", "y": "float64", "z": "float64"},
    "Quaternion": {"x": "float64", "y": "float64", "z": "float64", "w": "float64"},
    "Header": {"stamp": "Time", "frame_id": "string"},
    "Time": {"sec": "int32", "nanosec": "uint32"},
    "Duration": {"sec": "int32", "nanosec": "uint32"},
}
# The fields of the documented example of isaac_grasp 1.0.
ISAAC = {"confidence", "position", "orientation", "cspace_position", "pregrasp_cspace_position"}
ISAAC_FRAMES = {"object_frame_link", "gripper_frame_link", "object_frame", "gripper_frame"}


def check(value, kind, where):
    """A value of a message, with no field that the message does not have."""
    if kind.endswith("[]"):
        assert isinstance(value, list), where
        for k, element in enumerate(value):
            check(element, kind[:-2], f"{where}[{k}]")
    elif kind == "string":
        assert isinstance(value, str), where
    elif kind.startswith("float"):
        assert isinstance(value, float) and math.isfinite(value), where
    elif kind in ("int32", "uint32"):
        assert isinstance(value, int), where
    else:
        assert isinstance(value, dict), where
        for name, inner in value.items():
            assert name in MESSAGES[kind], f"{where}: {kind} has no {name}"
            check(inner, MESSAGES[kind][name], f"{where}.{name}")


def check_quaternion(w, x, y, z):
    assert abs(math.hypot(w, x, y, z) - 1) < 1e-9


def show(quality, position, quaternion):
    assert 0 <= quality <= 1
    check_quaternion(*quaternion)
    print(*(f"{number:.6f}" for number in (quality, *position, *quaternion)))


def moveit(grasps):
    check(grasps, "Grasp[]", "grasps")
    for grasp in grasps:
        assert set(MESSAGES["Grasp"]) == set(grasp)
        for posture in (grasp["pre_grasp_posture"], grasp["grasp_posture"]):
            for point in posture["points"]:
                assert len(point["positions"]) == len(posture["joint_names"])
        pose = grasp["grasp_pose"]["pose"]
        show(grasp["grasp_quality"], [pose["position"][c] for c in "xyz"],
             [pose["orientation"][c] for c in "wxyz"])


def isaac(file):
    assert set(file) == {"format", "format_version", "grasps"} | ISAAC_FRAMES
    assert file["format"] == "isaac_grasp"
    assert isinstance(file["format_version"], float) and file["format_version"] == 1.0
    for name, grasp in file["grasps"].items():
        assert isinstance(name, str) and set(grasp) == ISAAC
        assert set(grasp["orientation"]) == {"w", "xyz"} and len(grasp["position"]) == 3
        assert set(grasp["cspace_position"]) == set(grasp["pregrasp_cspace_position"]) != set()
        check(list(grasp["cspace_position"].values()), "float64[]", name)
        show(grasp["confidence"], grasp["position"], [grasp["orientation"]["w"], *grasp["orientation"]["xyz"]])


with open(sys.argv[1], encoding="utf-8") as stream:
    document = yaml.safe_load(stream)
moveit(document) if isinstance(document, list) else isaac(document)
