#include "grasp/decide/plan/plan_request.hpp"

#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/posterior_laws.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {
namespace {

constexpr const char* kAngleCovariance =
    "XT,YT (mm rad) such that, with --angle-sigma-rad and the errors of x and y, the covariance "
    "matrix is positive definite";

}  // namespace

RequestFields PlanRequest::fields() {
  return {
      position_sigma_field(position_sigma_mm,
                           "standard deviations of the error in x and y (one number for both); 0: "
                           "exact, the trials of its cell"),
      angle_sigma_field(angle_sigma_rad,
                        "standard deviation of the angle's error, for a sweep over angles "
                        "(default: 0, exact)"),
      numbers_field(
          "position-covariance-mm2 XX,XY,YY", position_covariance_mm2,
          "XX,XY,YY (mm2) with XX > 0, YY > 0 and XY^2 < XX YY",
          [](const std::vector<double>& n) {
            return n.size() == 3 && n[0] > 0 && n[2] > 0 && n[1] * n[1] < n[0] * n[2];
          },
          "in place of --position-sigma-mm: variances of x and y, and their covariance"),
      numbers_field("angle-covariance-mm-rad XT,YT", angle_covariance_mm_rad, kAngleCovariance,
                    so_many(2, 2),
                    "covariances of the angle's error with those of x and y; needs "
                    "--angle-sigma-rad"),
      pair_field("offset-sigma-mm OX,OY", offset_sigma_mm,
                 "standard deviations of an offset that is unknown but the same in each grasp (one "
                 "number for both)"),
      number_field("offset-angle-sigma-rad O", offset_angle_sigma_rad, kAtLeastZero,
                   "the same for the angle"),
      count_field("repeats N", repeats, 4, 1'000'000,
                  "the standard deviations (or the covariance) are those of N repeat measurements, "
                  "4 or more, whose mean was taken out of the robot's aim: the error is "
                  "Student's"),
      text_field("after FILE", after,
                 "calibrate.json of `graspmap calibrate`: averages over its posterior, of laws of "
                 "friction and, if it has them, offset and noise"),
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
void check(const PlanRequest& request) {
  const bool has_sigma = request.position_sigma_mm.has_value();
  if (has_sigma && request.position_covariance_mm2) {
    throw RequestError("--position-sigma-mm and --position-covariance-mm2: must be one of them");
  }
  if (!has_sigma && !request.position_covariance_mm2 && !request.required_probability &&
      request.after.empty()) {
    throw RequestError(
        "give --position-sigma-mm SX,SY (how far the robot is off), or --required-probability P "
        "(the success that the placement must reach)");
  }
  if (!request.required_probability) return;
  if (has_sigma && *request.position_sigma_mm == std::array{0.0, 0.0}) {
    throw RequestError(
        "--position-sigma-mm: '0,0' has no proportions for --required-probability; must have a "
        "number above 0");
  }
  const std::pair<const char*, bool> others[] = {
      {"position-covariance-mm2", request.position_covariance_mm2.has_value()},
      {"angle-covariance-mm-rad", request.angle_covariance_mm_rad.has_value()},
      {"offset-sigma-mm", request.offset_sigma_mm.has_value()},
      {"offset-angle-sigma-rad", request.offset_angle_sigma_rad.has_value()},
      {"repeats", request.repeats.has_value()},
      {"after", !request.after.empty()}};
  for (const auto& [option, is_there] : others) {
    if (!is_there) continue;
    throw RequestError(fmt::format(
        "--required-probability seeks the size of an independent error; it must come without --{}",
        option));
  }
}

/// The covariance of what differs from grasp to grasp.
ErrorModel::Matrix covariance_of(const PlanRequest& request, double angle_sigma) {
  ErrorModel::Matrix c{};
  if (request.position_covariance_mm2) {
    const auto [xx, xy, yy] = *request.position_covariance_mm2;
    c = {{{xx, xy, 0}, {xy, yy, 0}, {0, 0, 0}}};
  } else if (request.position_sigma_mm) {
    const auto [x, y] = *request.position_sigma_mm;
    c[0][0] = x * x;
    c[1][1] = y * y;
  }
  c[2][2] = angle_sigma * angle_sigma;
  if (!request.angle_covariance_mm_rad) return c;
  const auto [xt, yt] = *request.angle_covariance_mm_rad;
  c[0][2] = c[2][0] = xt;
  c[1][2] = c[2][1] = yt;
  const double determinant = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[1][2]) -
                             c[0][1] * (c[0][1] * c[2][2] - c[1][2] * c[0][2]) +
                             c[0][2] * (c[0][1] * c[1][2] - c[1][1] * c[0][2]);
  if (!(c[1][2] * c[1][2] < c[1][1] * c[2][2] && determinant > 0)) {
    throw RequestError("angle-covariance-mm-rad", kAngleCovariance);
  }
  return c;
}

PlanQuestion question_of(const PlanRequest& request, bool has_angles) {
  check(request);
  PlanQuestion question;
  question.angle_sigma_rad = angle_error(request.angle_sigma_rad, has_angles);
  question.position_sigma_mm = request.position_sigma_mm;
  ErrorModel& model = question.model;
  model.covariance = covariance_of(request, question.angle_sigma_rad);
  if (request.position_covariance_mm2) {
    question.position_sigma_mm = {std::sqrt(model.covariance[0][0]),
                                  std::sqrt(model.covariance[1][1])};
  }
  const auto [offset_x, offset_y] = request.offset_sigma_mm.value_or(std::array{0.0, 0.0});
  if (request.offset_angle_sigma_rad && !has_angles) {
    throw RequestError(
        "--offset-angle-sigma-rad: the sweep has one angle only; must be a sweep over angles");
  }
  model.offset_sigma = {offset_x, offset_y, request.offset_angle_sigma_rad.value_or(0.0)};
  model.repeats = request.repeats;
  question.required_probability = request.required_probability;
  question.after = request.after;
  question.confidence = request.confidence;
  return question;
}

/// The posterior of question.after, and what the trials count under its laws.
void read_calibration(const RunStore& run, const std::vector<TrialSample>& samples,
                      PlanQuestion& question) {
  if (question.after.empty()) return;
  const std::array<Distribution, 2> stored{run.config().mu_jaw, run.config().mu_support};
  ErrorModel& model = question.model;
  model.draws = read_posterior(question.after, stored, kWorlds, run.file());
  if (!question.position_sigma_mm) {
    if (!model.draws.front().noise) {
      throw config_error({question.after}, "",
                         "has no noise of the positioning; give --position-sigma-mm SX,SY (how far "
                         "the robot is off)");
    }
    question.position_sigma_mm = {0.0, 0.0};
  }
  const auto& friction = model.draws.front().friction;
  if (!friction[0] && !friction[1]) return;
  for (const PosteriorDraw& draw : model.draws) {
    question.law_weights.push_back(law_weights(draw, stored, samples));
  }
}

/// Simulates at the planned placement what the trials of a sweep with uncertain inputs do not tell.
void simulate_tolerances(const SweepConfig& config, const SuccessField& field,
                         const PlanRequest& request, const std::function<void(double)>& show,
                         PlacementPlan& plan) {
  constexpr std::uint64_t kPlanSeed = 0;
  const std::optional<double> required = request.required_probability;
  const bool needs_widths = required && !config.uncertain.empty();
  if (!needs_widths && !has_lots(config)) return;
  const std::optional<AimAndRobot> aim = planned_aim(plan, field);
  if (!aim || !plan.request.model.is_simple()) return;
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

}  // namespace

RunPlan plan_run(const RunStore& run, const PlanRequest& request,
                 const std::function<void(double)>& show) {
  const SweepConfig& config = run.config();
  const std::vector<TrialSample> samples = read_trial_samples(run);
  SuccessField field(config.placement.axes(), samples);
  if (field.trials() == 0) {
    throw config_error({run.file().string()}, "", "has no trials yet");
  }
  PlanQuestion question = question_of(request, !config.placement.theta_rad.is_fixed());
  read_calibration(run, samples, question);
  PlacementPlan plan = make_plan(field, question);
  plan.name = config.name;
  plan.has_noise = has_placement_noise(config.placement);
  simulate_tolerances(config, field, request, show, plan);
  return {std::move(plan), std::move(field)};
}

}  // namespace graspmap
