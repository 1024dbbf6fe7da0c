#include "grasp/decide/plan/plan_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/posterior_draws.hpp"
#include "grasp/decide/requests/independent_error.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

RequestFields PlanRequest::fields() {
  return {
      position_sigma_field(error.position_sigma_mm,
                           "standard deviations of the error in x and y (one number for both); 0: "
                           "exact, the trials of its cell; this and the next ones are in place of "
                           "[robot]"),
      number_field("repeatability-mm RP", error.repeatability_mm, kAboveZero,
                   "instead: the pose repeatability of a data sheet (ISO 9283)"),
      number_field("position-range-mm A", error.position_range_mm, kAboveZero,
                   "instead: +-A in x and in y, uniform"),
      text_field("measured FILE", measured,
                 "instead: a CSV file of deviations, x_mm, y_mm and maybe theta_rad"),
      angle_sigma_field(error.angle_sigma_rad,
                        "standard deviation of the angle's error, for a sweep over angles "
                        "(default: 0, exact)"),
      number_field("angle-range-rad A", error.angle_range_rad, kAboveZero, "instead: +-A, uniform"),
      numbers_field(
          "position-covariance-mm2 XX,XY,YY", error.position_covariance_mm2,
          "XX,XY,YY (mm2) with XX > 0, YY > 0 and XY^2 < XX YY",
          [](const std::vector<double>& n) {
            return n.size() == 3 && n[0] > 0 && n[2] > 0 && n[1] * n[1] < n[0] * n[2];
          },
          "in place of --position-sigma-mm: variances of x and y, and their covariance"),
      numbers_field("angle-covariance-mm-rad XT,YT", error.angle_covariance_mm_rad,
                    "XT,YT (mm rad)", so_many(2, 2),
                    "covariances of the angle's error with those of x and y; needs "
                    "--angle-sigma-rad"),
      pair_field("offset-sigma-mm OX,OY", error.offset_sigma_mm,
                 "standard deviations of an offset that is unknown but the same in each grasp (one "
                 "number for both)"),
      number_field("offset-angle-sigma-rad O", error.offset_angle_sigma_rad, kAtLeastZero,
                   "the same for the angle"),
      count_field("repeats N", error.repeats, 4, 1'000'000,
                  "the standard deviations (or the covariance) are those of N repeat measurements, "
                  "4 or more, whose mean was taken out of the robot's aim: the error is "
                  "Student's"),
      text_field("after FILE", after,
                 "calibrate.json of `graspmap calibrate`: averages over its posterior, of "
                 "distributions of friction and, if it has them, offset and noise"),
      required_probability_field(
          required_probability,
          "find the largest errors that still allow P: a normal one in the proportions of "
          "--position-sigma-mm (or equal in x and y), and a uniform one in a square"),
      count_field("trials N", trials, 250, 1'000'000,
                  "grasps that are simulated for each width of an uncertain input, 250 to 1000000 "
                  "(default: 4000)"),
      threads_field(threads),
      confidence_field(confidence)};
}

namespace {

/// Fields that exclude each other, or need another.
void check(const PlanRequest& request, const PlanQuestion& question) {
  const bool has_position = question.error && question.error->has_position();
  if (!has_position && !request.required_probability && request.after.empty()) {
    throw RequestError(
        "give --position-sigma-mm SX,SY (how far the robot is off, 0: exact), put [robot] into the "
        "configuration, or give --required-probability P (the success that the placement must "
        "reach)");
  }
  if (!request.required_probability) return;
  if (request.error.position_sigma_mm == std::array{0.0, 0.0}) {
    throw RequestError(
        "--position-sigma-mm: '0,0' has no proportions for --required-probability; must have a "
        "number above 0");
  }
  constexpr const char* kSearch = "--required-probability";
  if (!request.after.empty()) {
    throw RequestError(fmt::format("--after: a calibration, which {} cannot take", kSearch));
  }
  const bool by_options = request.error != DeviceError{};
  if (question.error) check_independent(*question.error, by_options, kSearch);
}

/// A message about keys as one about options: "angle_sigma_rad" is "--angle-sigma-rad".
std::string as_options(std::string text) {
  for (const RequestField& field : PlanRequest().fields()) {
    std::string key = field.name();
    std::replace(key.begin(), key.end(), '-', '_');
    const std::size_t at = text.find(" " + key);
    if (key.find('_') != std::string::npos && at != std::string::npos) {
      text.replace(at + 1, key.size(), "--" + field.name());
    }
  }
  return text;
}

/// What the options say of the robot's error, or else the run's configuration.
std::optional<RobotError> error_of(const PlanRequest& request, const SweepConfig& config) {
  RobotError error{request.error, {}};
  if (!request.measured.empty()) read_deviations(request.measured, error);
  if (error == RobotError{}) return config.robot;
  check_error(error, config.placement, [](const std::string& key, const std::string& text) {
    throw RequestError(key.empty()
                           ? "several errors of the position; must be one of --repeatability-mm, "
                             "--position-range-mm, --position-sigma-mm, --position-covariance-mm2, "
                             "--measured"
                           : as_options(" " + key).substr(1) + ": " + as_options(text));
  });
  return error;
}

PlanQuestion question_of(const PlanRequest& request, const SweepConfig& config) {
  PlanQuestion question;
  question.error = error_of(request, config);
  check(request, question);
  question.required_probability = request.required_probability;
  question.after = request.after;
  question.confidence = request.confidence;
  question.plateau_probability = config.plateau_probability;
  return question;
}

/// The posterior of question.after, and what the trials count under its distributions.
void read_calibration(const RunStore& run, const std::vector<TrialSample>& samples,
                      PlanQuestion& question) {
  if (question.after.empty()) return;
  const std::array<Distribution, 2> stored{run.config().mu_jaw, run.config().mu_support};
  question.draws = read_posterior(question.after, stored, kWorlds, run.file());
  if (!question.error || !question.error->has_position()) {
    if (!question.draws.front().noise) {
      throw config_error({question.after}, "",
                         "has no noise of the positioning; give --position-sigma-mm SX,SY (how far "
                         "the robot is off)");
    }
    if (!question.error) question.error = RobotError{};
  }
  const auto& friction = question.draws.front().friction;
  if (!friction[0] && !friction[1]) return;
  for (const PosteriorDraw& draw : question.draws) {
    question.draw_weights.push_back(draw_weights(draw, stored, samples));
  }
}

/// Simulates at the planned placement what the trials of a sweep with uncertain inputs do not show.
void simulate_tolerances(const SweepConfig& config, const SuccessField& field,
                         const PlanRequest& request, const std::function<void(double)>& show,
                         PlacementPlan& plan) {
  constexpr std::uint64_t kPlanSeed = 0;
  const std::optional<double> required = request.required_probability;
  const bool needs_widths = required && !config.uncertain.empty();
  if (!needs_widths && !has_lots(config)) return;
  const std::optional<AimAndRobot> aim = planned_aim(plan, field);
  if (!aim) return;
  if (needs_widths) {
    plan.widths = width_limits(tolerance_inputs(config, *aim),
                               {*aim, *required, request.confidence, request.trials},
                               simulated_widths(config, *aim, kPlanSeed, request.threads), show);
  }
  if (has_lots(config)) {
    const LotQuestion question{*aim, required, request.confidence};
    plan.lots =
        lot_success(simulate_lots(config, question, kPlanSeed, request.threads, show), question);
  }
}

bool says_no(const PlacementPlan& plan) {
  if (plan.for_error) {
    return answer_of(plan.for_error->best(), plan.request.reliable()) == Answer::kNo;
  }
  return !plan.for_probability->ellipse.estimate.reached;
}

}  // namespace

RunPlan plan_run(const RunStore& run, const PlanRequest& request,
                 const std::function<void(double)>& show) {
  const SweepConfig& config = run.config();
  const std::vector<TrialSample> samples = read_trial_samples(run);
  SuccessField field(config.placement.axes(), samples, config.points);
  if (field.trials() == 0) {
    throw config_error({run.file().string()}, "", "has no trials yet");
  }
  PlanQuestion question = question_of(request, config);
  read_calibration(run, samples, question);
  PlacementPlan plan = make_plan(field, question);
  plan.name = config.name;
  plan.has_noise = has_placement_noise(config.placement);
  const std::filesystem::path folder = run_of(run.file());
  plan.more = more_trials(config, std::ssize(samples), folder);
  if (says_no(plan)) plan.reasons = reason_text(summarize(run, read_totals(run)), folder);
  simulate_tolerances(config, field, request, show, plan);
  return {std::move(plan), std::move(field)};
}

PlanQuestion robot_question(const SweepConfig& config) {
  PlanQuestion question;
  question.error = config.robot;
  question.plateau_probability = config.plateau_probability;
  return question;
}

std::optional<RobotAnswer> robot_answer(const RunStore& run, const RunSummary& summary) {
  const SweepConfig& config = run.config();
  if (!config.robot || summary.trials_done == 0) return std::nullopt;
  const SuccessField field(config.placement.axes(), read_trial_samples(run), config.points);
  PlacementPlan plan;
  plan.axes = field.axes();
  plan.request = robot_question(config);
  const std::optional<PlannedPlacement> best = first_placement(field, plan.request);
  const std::filesystem::path folder = run_of(run.file());
  plan.more = more_trials(config, summary.trials_done, folder);
  RobotAnswer robot;
  robot.answer = answer_of(best, config.plateau_probability);
  if (robot.answer == Answer::kNo) plan.reasons = reason_text(summary, folder);
  robot.text = answer_text(plan, best);
  robot.fields.add({"error", error_words(*config.robot), "in words"});
  if (!best) return robot;
  robot.found = true;
  robot.at = best->at;
  robot.fields.add(Object{{"x_mm", best->at[0]},
                          {"y_mm", best->at[1]},
                          {"theta_rad", value_if(plan.has_angle(), best->at[2])},
                          {"success_probability", best->success.probability},
                          {"interval", best->success.interval, "at 95 % confidence"}});
  return robot;
}

RunSummary answered_summary(const RunStore& run, const RunTotals& totals) {
  RunSummary summary = summarize(run, totals);
  summary.robot = robot_answer(run, summary);
  return summary;
}

}  // namespace graspmap
