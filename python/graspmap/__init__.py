"""graspmap in Python: from where does a gripper grasp a part best?

>>> import graspmap as gm
>>> config = gm.load("configs/lock_piece.toml", {"gripper.closing_force_n": 20})
>>> run = gm.run(config, out="outputs/force_20", progress=True)
>>> run.map.success, run.sweet_spot, run.trials, run.trial(251).story

The code is that of the command ``graspmap``: a run has the same digest, and numbers are equal to the
last bit. Units are in the names: mm, rad, s, N; ``mu_jaw`` and ``mu_support`` are coefficients of
friction. No signal handler is installed, and nothing is printed but a progress bar that you ask for.
"""
from . import plot
from ._native import git_commit, version
from .config import *
from .decision_results import *
from .decisions import design, detections, fit_support, sequence
from .errors import *
from .one_trial import *
from .progress import *
from .results import *
from .runs import *  # noqa: A004
from .simulation import *
from .trial_map import *
from .trials import *

__version__ = version()

__all__ = [
    "Animation", "Calibration", "ClosedRunError", "Comparison", "Config", "ConfigError", "Decision",
    "DeliveredPose", "Detections", "Difference", "Error", "FactCheck", "Fault", "FingerDesign",
    "GraspmapWarning", "Hold", "Interval", "IoError", "LabPlan", "MissingFileError",
    "MissingTrialError", "Outcome", "Picture", "Plan", "Progress", "Result", "ReweightedMap",
    "Reweighting", "RobotGrasps", "Run", "RunInUseError", "Section", "Sensitivity", "SqueezePlan",
    "StoppedError", "SuccessMap", "SupportFit", "Tolerances", "Trial", "Trials", "UsageError",
    "describe", "design", "detections", "fit_support", "git_commit", "load", "merge", "open", "plot", "run",
    "sequence", "simulate", "trial", "version",
]
