#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {

namespace {

CommandSyntax plan_syntax() {
  return {
      "plan",
      "RUNDIR",
      "Finds where to put the gripper when the robot does not reach the placement exactly: the\n"
      "nominal placement with the highest success probability under its positioning error,\n"
      "other good ones well apart from it, and the outcomes that keep each from succeeding\n"
      "always. With --required-probability, finds the largest error under which the best\n"
      "placement still succeeds that often and, of a run with uncertain inputs ([uncertain]),\n"
      "how wide each of their laws may be at the planned placement: by new simulations.\n"
      "Where a law has lots (lot_sigma), tells the next part and the next lot apart.\n"
      "The errors in x, y and theta are independent, unless a covariance is given. They add\n"
      "to the placement noise of the sweep, if it has any. Where an error reaches beyond the\n"
      "map, a grasp counts as no success.\n"
      "What is unknown but the same in each grasp (an offset, a spread that is known from few\n"
      "repeats, laws of friction known from a calibration) is averaged over, and the interval\n"
      "holds it.\n",
      "  graspmap plan outputs/lock_piece --position-sigma-mm 2,2\n"
      "  graspmap plan outputs/lock_piece --required-probability 0.99\n"
      "  graspmap plan outputs/lock_piece --position-sigma-mm 2,1 --required-probability 0.95\n"
      "  graspmap plan outputs/lock_piece --position-sigma-mm 1,1 --repeats 10 "
      "--offset-sigma-mm 0.5\n"
      "  graspmap plan outputs/lock_piece --position-covariance-mm2 4,1.5,1\n"
      "  graspmap plan outputs/broad --position-sigma-mm 1 --after "
      "outputs/broad/calibrate/calibrate.json\n",
      {{"position-sigma-mm SX,SY",
        "standard deviations of the error in x and y (one number for both); 0: exact, the trials "
        "of "
        "its cell"},
       {"angle-sigma-rad S",
        "standard deviation of the angle's error, for a sweep over angles (default: 0, exact)"},
       {"position-covariance-mm2 XX,XY,YY",
        "in place of --position-sigma-mm: variances of x and y, and their covariance"},
       {"angle-covariance-mm-rad XT,YT",
        "covariances of the angle's error with those of x and y; needs --angle-sigma-rad"},
       {"offset-sigma-mm OX,OY",
        "standard deviations of an offset that is unknown but the same in each grasp (one number "
        "for "
        "both)"},
       {"offset-angle-sigma-rad O", "the same for the angle"},
       {"repeats N",
        "the standard deviations (or the covariance) are those of N repeat measurements, 4 or "
        "more, "
        "whose mean was taken out of the robot's aim: the error is Student's"},
       {"after FILE",
        "calibrate.json of `graspmap calibrate`: averages over its posterior, of laws of friction "
        "and, if it has them, offset and noise"},
       {"required-probability P",
        "find the largest errors that still allow P: a normal one in the proportions of "
        "--position-sigma-mm (or equal in x and y), and a uniform one in a square"},
       {"trials N",
        "grasps that are simulated for each width of an uncertain input, 250 to 1000000 (default: "
        "4000)"},
       {"threads N", "threads (default: all)"},
       {"quiet", "show no progress"}}};
}

/// Sets variances and covariance of x and y.
void read_covariance(const Arguments& arguments, PlanRequest& request) {
  if (!arguments.has("position-covariance-mm2")) return;
  if (arguments.has("position-sigma-mm")) {
    arguments.fail("--position-sigma-mm and --position-covariance-mm2: must be one of them");
  }
  const std::vector<double> n = arguments.numbers("position-covariance-mm2");
  if (n.size() != 3 || !(n[0] > 0 && n[2] > 0 && n[1] * n[1] < n[0] * n[2])) {
    arguments.refuse("position-covariance-mm2",
                     "XX,XY,YY (mm2) with XX > 0, YY > 0 and XY^2 < XX YY");
  }
  request.position_sigma_mm = {std::sqrt(n[0]), std::sqrt(n[2])};
  request.model.covariance[0][1] = request.model.covariance[1][0] = n[1];
}

void read_angle_covariance(const Arguments& arguments, PlanRequest& request) {
  if (!arguments.has("angle-covariance-mm-rad")) return;
  const std::vector<double> n = arguments.numbers("angle-covariance-mm-rad");
  auto& c = request.model.covariance;
  if (n.size() == 2) {
    c[0][2] = c[2][0] = n[0];
    c[1][2] = c[2][1] = n[1];
  }
  const double determinant = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[1][2]) -
                             c[0][1] * (c[0][1] * c[2][2] - c[1][2] * c[0][2]) +
                             c[0][2] * (c[0][1] * c[1][2] - c[1][1] * c[0][2]);
  const bool positive = c[1][2] * c[1][2] < c[1][1] * c[2][2] && determinant > 0;
  if (n.size() != 2 || !positive) {
    arguments.refuse("angle-covariance-mm-rad",
                     "XT,YT (mm rad) such that, with --angle-sigma-rad and the errors of x and y, "
                     "the covariance matrix is positive definite");
  }
}

/// What is known of the error besides its standard deviations, which the request has.
void read_model(const Arguments& arguments, PlanRequest& request, bool has_angles) {
  ErrorModel& model = request.model;
  const auto [x, y] = request.position_sigma_mm.value_or(std::array{0.0, 0.0});
  model.covariance[0][0] = x * x;
  model.covariance[1][1] = y * y;
  model.covariance[2][2] = request.angle_sigma_rad * request.angle_sigma_rad;
  read_angle_covariance(arguments, request);
  if (arguments.has("offset-sigma-mm")) {
    const auto [ox, oy] = read_position_sigma(arguments, "offset-sigma-mm");
    model.offset_sigma[0] = ox;
    model.offset_sigma[1] = oy;
  }
  if (arguments.has("offset-angle-sigma-rad")) {
    if (!has_angles) {
      arguments.fail(
          "--offset-angle-sigma-rad: the sweep has one angle only; must be a sweep over "
          "angles");
    }
    model.offset_sigma[2] = arguments.number_at_least("offset-angle-sigma-rad", 0);
  }
  if (arguments.has("repeats")) model.repeats = arguments.count("repeats", 0, 4, 1'000'000);
}

PlanRequest read_plan_request(const Arguments& arguments) {
  PlanRequest request;
  request.confidence = read_confidence(arguments);
  if (arguments.has("position-sigma-mm")) {
    request.position_sigma_mm = read_position_sigma(arguments);
  }
  read_covariance(arguments, request);
  if (arguments.has("required-probability")) {
    request.required_probability = read_required_probability(arguments);
  }
  if (!request.position_sigma_mm && !request.required_probability && !arguments.has("after")) {
    arguments.fail(
        "give --position-sigma-mm SX,SY (how far the robot is off), or --required-probability P "
        "(the success that the placement must reach)");
  }
  if (request.required_probability && request.position_sigma_mm &&
      *request.position_sigma_mm == std::array{0.0, 0.0}) {
    arguments.fail(
        "--position-sigma-mm: '0,0' has no proportions for --required-probability; must have a "
        "number above 0");
  }
  for (const char* option : {"position-covariance-mm2", "angle-covariance-mm-rad",
                             "offset-sigma-mm", "offset-angle-sigma-rad", "repeats", "after"}) {
    if (!request.required_probability || !arguments.has(option)) continue;
    arguments.fail(fmt::format(
        "--required-probability seeks the size of an independent error; it must come without --{}",
        option));
  }
  if (arguments.has("after")) request.after = arguments.text("after");
  request.grasps = arguments.count("trials", 4000, 250, 1'000'000);
  request.threads = arguments.threads();
  return request;
}

Analysis analyse_plan(const Arguments& arguments, const AnalysisWatch& watch) {
  PlanRequest request = read_plan_request(arguments);
  const RunStore run = open_stored_run(arguments);
  const bool has_angles = !run.config().placement.theta_rad.is_fixed();
  request.angle_sigma_rad = read_angle_sigma(arguments, has_angles);
  read_model(arguments, request, has_angles);
  const auto [plan, field] = plan_run(run, request, watch.share);
  std::vector<AnalysisFile> files{{"plan.json", plan_fields(plan)}, {"plan.csv", plan_table(plan)}};
  std::vector<Figure> figures{plan_figure(plan, field)};
  if (plan.widths) {
    files.push_back({"tolerances.csv", width_limits_table(*plan.widths)});
    figures.push_back(width_limits_figure(*plan.widths, "plan_tolerances",
                                          plan.name + ": how wide each tolerance may be"));
  }
  return {plan_text(plan), std::move(files), std::move(figures),
          missing_trials_note(run, field.trials())};
}

}  // namespace

AnalysisCommand plan_analysis() { return {plan_syntax(), "RUNDIR/plan", analyse_plan}; }

namespace {

CommandSyntax pose_syntax() {
  return {
      "pose",
      "RUNDIR",
      "Tells how the part lies in the hand after the grasp, for the next assembly step. Reports\n"
      "the distribution of its final pose in the gripper's frame (x and y in mm, theta in rad)\n"
      "and of the opening of the jaws: means with standard errors, standard deviations,\n"
      "covariance, quantiles, and the groups (modes) that the poses form. The grasps are those\n"
      "on the plateau, or those at one placement, exact or with a positioning error.\n",
      "  graspmap pose outputs/lock_piece\n"
      "  graspmap pose outputs/lock_piece --placement 0,-11 --position-sigma-mm 2,2\n"
      "  graspmap pose outputs/lock_piece --placement 0,-3 --outcome wedged\n",
      {{"placement X,Y[,THETA]",
        "the nominal placement in mm and rad, THETA for a sweep over angles; without an error: the "
        "trials of its cell"},
       {"position-sigma-mm SX,SY",
        "standard deviations of the positioning error in x and y (one number for both)"},
       {"angle-sigma-rad S", "standard deviation of the angle's error, for a sweep of angles"},
       {"plateau",
        "take the cells whose success probability is at least summary.plateau_probability (the "
        "default)"},
       {"outcome WORD", "take the trials with this outcome (default: success)"}}};
}

PlacementError read_error(const Arguments& arguments, const std::array<Axis, 3>& axes) {
  PlacementError error{};
  for (const char* option : {"position-sigma-mm", "angle-sigma-rad"}) {
    if (arguments.has(option) && !arguments.has("placement")) {
      arguments.fail(
          fmt::format("--{}: needs a placement that the error is of, --placement X,Y", option));
    }
  }
  if (arguments.has("position-sigma-mm")) {
    const auto [x, y] = read_position_sigma(arguments);
    error[0] = normal_error(x);
    error[1] = normal_error(y);
  }
  error[2] = normal_error(read_angle_sigma(arguments, !axes[2].is_fixed()));
  return error;
}

PoseRequest read_request(const Arguments& arguments, const SweepConfig& config) {
  const std::array<Axis, 3> axes = config.placement.axes();
  PoseRequest request;
  if (arguments.has("placement") && arguments.has("plateau")) {
    arguments.fail("--plateau and --placement: must be one of them");
  }
  if (arguments.has("placement")) request.placement = read_placement(arguments, "placement", axes);
  request.error = read_error(arguments, axes);
  request.plateau_probability = config.plateau_probability;
  request.outcome = read_outcome(arguments).value_or(Outcome::kSuccess);
  request.confidence = read_confidence(arguments);
  return request;
}

Analysis analyse_pose(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const RunStore run = open_stored_run(arguments);
  const DeliveredPoses poses = poses_of_run(run, read_request(arguments, run.config()));
  return {pose_text(poses),
          {{"pose.json", pose_fields(poses)}, {"pose.csv", pose_table(poses)}},
          {pose_figure(poses)},
          missing_trials_note(run, poses.trials)};
}

}  // namespace

AnalysisCommand pose_analysis() { return {pose_syntax(), "RUNDIR/pose", analyse_pose}; }

}  // namespace graspmap
