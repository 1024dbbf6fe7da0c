#include "grasp/decide/plan/plan_request.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/posterior_draws.hpp"
#include "grasp/decide/requests/independent_error.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {
namespace {

/// Makes options of the keys of [robot]: their rows (config_keys.hpp) become fields.
class RobotFields {
 public:
  RobotFields(RequestFields& fields, std::string& measured)
      : fields_(fields), measured_(measured) {}

  void operator()(const KeyRow& row, std::optional<double>& number) {
    const NumberRange& range = row.quantity.range;
    fields_.push_back(number_field(form_of(row), number,
                                   {range.text(), range.min, range.max, range.above_min},
                                   meaning_of(row)));
  }
  void operator()(const KeyRow& row, std::optional<int>& count) {
    const int least = static_cast<int>(row.quantity.range.min);
    const int most = static_cast<int>(row.quantity.range.max);
    fields_.push_back(count_field(form_of(row), count, least, most,
                                  fmt::format("{}; {} to {}", meaning_of(row), least, most)));
  }
  void operator()(const KeyRow& row, std::optional<std::array<double, 2>>& pair) {
    if (row.quantity.range.min < 0) {
      numbers(row, pair, 2);
    } else {
      fields_.push_back(pair_field(form_of(row), pair, meaning_of(row) + " (one number for both)"));
    }
  }
  void operator()(const KeyRow& row, std::optional<std::array<double, 3>>& triple) {
    numbers(row, triple, 3);
  }
  void listed(const KeyRow& row, KeyKind kind) {
    if (kind != KeyKind::kText) return;  // deviations are in a file
    fields_.push_back(text_field(form_of(row), measured_, meaning_of(row)));
  }

 private:
  void numbers(const KeyRow& row, auto& member, std::size_t count) {
    fields_.push_back(numbers_field(form_of(row), member, std::string(row.extras.option_value),
                                    so_many(count, count), meaning_of(row)));
  }
  static std::string form_of(const KeyRow& row) {
    return option_of_key(std::string(row.name)) + " " + std::string(row.extras.option_value);
  }
  /// Without Markdown.
  static std::string meaning_of(const KeyRow& row) {
    std::string text = without_links(row.sentence);
    std::erase(text, '`');
    return text;
  }

  RequestFields& fields_;
  std::string& measured_;
};

}  // namespace

RequestFields PlanRequest::fields() {
  RequestFields fields;
  RobotFields of_robot(fields, measured);
  device_keys(of_robot, error);
  fields.front().meaning += "; this and the next ones, one of the position, replace [robot]";
  fields.insert(
      fields.end(),
      {text_field("after FILE", after,
                  "calibrate.json of `graspmap calibrate`: averages over its posterior, of "
                  "distributions of friction and, if it has them, offset and noise"),
       required_probability_field(
           required_probability,
           "find the largest errors that still allow P: a normal one in the proportions of "
           "--position-sigma-mm (or equal in x and y), and a uniform one in a square"),
       count_field("trials N", trials, 250, 1'000'000,
                   "grasps that are simulated for each width of an uncertain input, 250 to 1000000 "
                   "(default: 4000)"),
       threads_field(threads), confidence_field(confidence)});
  return fields;
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
    throw RequestError("position-sigma-mm",
                       "'0,0' has no proportions for --required-probability; must have a number "
                       "above 0");
  }
  constexpr const char* kSearch = "--required-probability";
  if (!request.after.empty()) {
    throw RequestError("after", fmt::format("a calibration, which {} cannot take", kSearch));
  }
  const bool by_options = request.error != DeviceError{};
  if (question.error) check_independent(*question.error, by_options, kSearch);
}

/// What the options say of the robot's error, or else the run's configuration.
std::optional<RobotError> error_of(const PlanRequest& request, const SweepConfig& config) {
  RobotError error{request.error, {}};
  if (!request.measured.empty()) read_deviations(request.measured, error);
  if (error == RobotError{}) return config.robot;
  check_error(
      error, config.placement,
      [](const std::string& key, const std::string& text) {
        if (key.empty()) throw RequestError(text);
        throw RequestError(option_of_key(key), text);
      },
      [](const std::string& key) { return "--" + option_of_key(key); });
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
