#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/detections/detections.hpp"
#include "grasp/decide/hold/held_grasps.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {

namespace {

Analysis analyse_plan(const std::vector<std::string>& operands, const PlanRequest& request,
                      const AnalysisWatch& watch) {
  const RunStore run = open_stored_run(operands.front());
  const auto [plan, field] = plan_run(run, request, watch.share);
  std::vector<Figure> figures{plan_figure(plan, field, run)};
  if (plan.widths) {
    figures.push_back(width_limits_figure(*plan.widths, "plan_tolerances",
                                          plan.name + ": how wide each tolerance may be"));
  }
  return {plan_text(plan), plan_files(plan), std::move(figures),
          missing_trials_note(run, field.trials())};
}

}  // namespace

AnalysisCommand plan_analysis() {
  return {
      {"plan", "find where to put the gripper under the robot's positioning error", "RUNDIR",
       "Finds where to put the gripper when the robot does not reach the placement exactly: the\n"
       "nominal placement with the highest success probability under its positioning error,\n"
       "other good ones well apart from it, and the outcomes that keep each from succeeding\n"
       "always. With --required-probability, finds the largest error under which the best\n"
       "placement still succeeds that often and, of a run with uncertain inputs ([uncertain]),\n"
       "how wide each of their distributions may be at the planned placement: by new\n"
       "simulations. Where a distribution has lots (lot_sigma), reports the next part and the\n"
       "next lot separately.\n"
       "The errors in x, y and theta are independent, unless a covariance is given. They add\n"
       "to the placement noise of the sweep, if it has any. Where an error reaches beyond the\n"
       "map, a grasp counts as no success.\n"
       "What is unknown but the same in each grasp (an offset, a spread that is known from few\n"
       "repeats, friction from a calibration) is averaged over, and the interval accounts for\n"
       "it.\n",
       "  graspmap plan outputs/lock_piece --position-sigma-mm 2,2\n"
       "  graspmap plan outputs/lock_piece --required-probability 0.99\n"
       "  graspmap plan outputs/lock_piece --position-sigma-mm 2,1 --required-probability 0.95\n"
       "  graspmap plan outputs/lock_piece --position-sigma-mm 1,1 --repeats 10 --offset-sigma-mm "
       "0.5\n"
       "  graspmap plan outputs/lock_piece --position-covariance-mm2 4,1.5,1\n"
       "  graspmap plan outputs/broad --position-sigma-mm 1 --after "
       "outputs/broad/calibrate/calibrate.json\n"},
      "RUNDIR/plan",
      analyse_plan};
}

namespace {

Analysis analyse_detections(const std::vector<std::string>& operands,
                            const DetectionsRequest& request, const AnalysisWatch& watch) {
  const std::filesystem::path file = operands.front();
  const DetectedErrors errors = detected_errors(file, request);
  const auto folder = watch.folder(file.stem().string() + "_detections");
  return {detections_text(errors, folder / "deviations.csv"),
          {{"detections.json", detections_fields(errors)},
           {"deviations.csv", deviations_table(errors)}},
          {},
          detections_notes(errors),
          folder};
}

}  // namespace

AnalysisCommand detections_analysis() {
  return {
      {"detections", "turn a camera's repeated detections of a part into an error for plan",
       "FILE.csv",
       "Turns a camera's repeated detections of a part that lies still into an error that plan\n"
       "and [robot.camera] take: how far the gripper's placement is off, jointly in x, y and the\n"
       "angle, with outliers. FILE.csv has columns x_mm, y_mm and maybe theta_rad, the part in\n"
       "the table's plane, in the order of time; a row without numbers is a miss. Angles of a\n"
       "part that looks the same when turned are folded (--period-deg). Reports how many\n"
       "looks missed the part, and whether the detections drift, by a permutation test. Columns\n"
       "cov_xx_mm2, cov_xy_mm2, cov_yy_mm2, cov_tt_rad2, what the detector claims of each\n"
       "detection, weigh the mean and are compared with the scatter; they are not added to it.\n"
       "Writes deviations.csv and detections.json.\n",
       "  graspmap detections looks.csv --period-deg 180\n"
       "  graspmap plan outputs/lock_piece --measured outputs/looks_detections/deviations.csv\n"},
      "outputs/NAME_detections",
      analyse_detections};
}

namespace {

Analysis analyse_pose(const std::vector<std::string>& operands, const PoseRequest& request,
                      const AnalysisWatch& /*watch*/) {
  const RunStore run = open_stored_run(operands.front());
  const DeliveredPoses poses = pose_run(run, request);
  return {pose_text(poses),
          pose_files(poses),
          {pose_figure(poses)},
          missing_trials_note(run, poses.trials)};
}

}  // namespace

AnalysisCommand pose_analysis() {
  return {
      {"pose", "show how the part lies in the hand after the grasp", "RUNDIR",
       "Shows how the part lies in the hand after the grasp, for the next assembly step. Reports\n"
       "the distribution of its final pose in the gripper's frame (x and y in mm, theta in rad)\n"
       "and of the opening of the jaws: means with standard errors, standard deviations,\n"
       "covariance, quantiles, and the groups (modes) that the poses form. The grasps are those\n"
       "at the placement that the run answers with, under its [robot], or at another one, or on "
       "the\n"
       "plateau.\n",
       "  graspmap pose outputs/lock_piece\n"
       "  graspmap pose outputs/lock_piece --placement 0,-11 --position-sigma-mm 2,2\n"
       "  graspmap pose outputs/lock_piece --placement 0,-3 --outcome wedged\n"},
      "RUNDIR/pose",
      analyse_pose};
}

namespace {

Analysis analyse_hold(const std::vector<std::string>& operands, const HoldRequest& request,
                      const AnalysisWatch& watch) {
  const RunStore run = open_stored_run(operands.front());
  const std::optional<HeldGrasps> held = hold_run(run, request, watch.stop, watch.trials);
  if (!held) throw AnalysisStopped();
  return {hold_text(*held), hold_files(*held), hold_figures(*held),
          missing_trials_note(run, held->trials)};
}

}  // namespace

AnalysisCommand hold_analysis() {
  return {
      {"hold",
       "decide whether the part stays in the hand as the robot moves, and the force it needs",
       "RUNDIR",
       "Decides whether the part stays in the hand when the robot lifts and moves it, as [hold]\n"
       "says, and with what safety factor; and finds the closing force that holds it with the\n"
       "required probability. Friction is exact, in space; the part is a rigid plate between\n"
       "upright jaws. The answer needs no new trials; those at the placement are then simulated\n"
       "again with the force found, unless --no-check is given.\n",
       "  graspmap hold outputs/valve_key\n"
       "  graspmap hold outputs/valve_key --set hold.acceleration_m_s2=10 --factor 2\n"
       "  graspmap hold outputs/lock_piece --set hold.part_height_mm=10 --required-probability "
       "0.95\n"},
      "RUNDIR/hold",
      analyse_hold};
}

}  // namespace graspmap
