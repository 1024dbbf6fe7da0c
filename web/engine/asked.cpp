#include "web/engine/asked.hpp"

#include <fmt/format.h>

#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/decide/design/design_search.hpp"
#include "grasp/decide/hold/held_grasps.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/gripper_models.hpp"
#include "grasp/sweep/config/plausibility.hpp"
#include "grasp/sweep/setup/first_answers.hpp"

namespace graspmap {
namespace {

/// Options "name=value"; one that comes several times has all values.
class PageOptions final : public RequestValues {
 public:
  explicit PageOptions(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      const std::size_t equals = option.find('=');
      if (equals == std::string::npos) fail(fmt::format("--{}: must be NAME=VALUE", option));
      const std::string name = option.substr(0, equals);
      const std::string text = option.substr(equals + 1);
      if (!given_.contains(name)) {
        given_.emplace(name, Given{text, "'" + text + "'"});
        continue;
      }
      Given& before = given_[name];
      before.value = Value::List{before.value, Value(text)};
    }
  }

  /// Throws when there are others than these.
  void check(const RequestFields& fields) const {
    for (const auto& [name, given] : given_) {
      bool is_known = false;
      for (const RequestField& field : fields) is_known = is_known || field.name() == name;
      if (!is_known) fail(fmt::format("unknown option --{}", name));
    }
  }

  /// Throws when there are others than those that have been asked for.
  void check_all_used() const {
    for (const auto& [name, given] : given_) {
      if (!asked_.contains(name)) fail(fmt::format("unknown option --{}", name));
    }
  }

  [[noreturn]] void raise(const RequestError& error) const override { throw error; }
};

template <typename Request>
Request request_of(const std::vector<std::string>& options) {
  const PageOptions values(options);
  Request request;
  values.check(request.fields());
  read_request(values, request.fields());
  return request;
}

std::string answer_json(const std::string& text, const std::vector<ResultFile>& files) {
  Object named;
  for (const ResultFile& file : files) named.add({file.name, file.text()});
  return json_text(Object{{"text", text}, {"files", named}});
}

std::string plan_answer(const RunStore& run, const std::vector<std::string>& options) {
  const PlacementPlan plan = plan_run(run, request_of<PlanRequest>(options)).plan;
  return answer_json(plan_text(plan), plan_files(plan));
}

std::string pose_answer(const RunStore& run, const std::vector<std::string>& options) {
  const DeliveredPoses poses = pose_run(run, request_of<PoseRequest>(options));
  return answer_json(pose_text(poses), pose_files(poses));
}

std::string hold_answer(const RunStore& run, const std::vector<std::string>& options) {
  const HeldGrasps held = *hold_run(run, request_of<HoldRequest>(options), nullptr, {});
  return answer_json(hold_text(held), hold_files(held));
}

std::string design_answer(const std::filesystem::path& file,
                          const std::vector<std::string>& options,
                          const std::function<void(const std::string&)>& tell) {
  const AskedDesign asked = asked_design(file.string(), request_of<DesignRequest>(options));
  KeptGrasps grasps;
  const DesignAnswer answer = search_design(asked.question, asked.space, grasps, tell);
  return answer_json(design_text(answer), design_files(answer));
}

std::string sequence_answer(const std::filesystem::path& file,
                            const std::vector<std::string>& options,
                            const std::function<void(const std::string&)>& tell) {
  const auto request = request_of<SequenceRequest>(options);
  const SweepConfig config = read_sweep_config(file, request.set);
  const SequencePlan plan =
      plan_sequence(config, sequence_question(config, request), KeptTrials(), tell);
  return answer_json(sequence_text(plan), sequence_files(plan, config));
}

}  // namespace

std::string decision_json(const std::string& command, const RunStore& run,
                          const std::filesystem::path& config_file,
                          const std::vector<std::string>& options,
                          const std::function<void(const std::string&)>& tell) {
  if (command == "plan") return plan_answer(run, options);
  if (command == "pose") return pose_answer(run, options);
  if (command == "hold") return hold_answer(run, options);
  if (command == "design") return design_answer(config_file, options, tell);
  if (command == "sequence") return sequence_answer(config_file, options, tell);
  throw RequestError(
      fmt::format("'{}' is no decision; must be plan, pose, hold, design or sequence", command));
}

std::string first_config_json(const std::filesystem::path& drawing,
                              const std::vector<std::string>& options) {
  const PageOptions values(options);
  FirstGrasp grasp;
  std::string understood;
  if (values.has("shape")) {
    const std::string& shape = values.text("shape");
    grasp.bodies = {first_shape(shape, values.numbers("size-mm"))};
    grasp.source = fmt::format("the shape {}", shape);
    grasp.name = piece_name(shape, grasp.bodies);
  } else {
    const Drawing read = read_drawing_of(values, drawing);
    understood = drawing_text(read, drawing.string(), std::nullopt);
    grasp.bodies = read.regions;
    grasp.source = fmt::format("read from {}", drawing.filename().string());
    grasp.name = piece_name(drawing, grasp.bodies);
  }
  read_first_answers(values, grasp);
  values.check_all_used();
  return json_text(Object{{"toml", first_config(grasp)}, {"text", understood}});
}

std::string config_json(const SweepConfig& config, const std::string& source) {
  const std::string json = json_text(Object{
      {"toml", to_toml(config)},
      {"cells", config.placement.cell_count()},
      {"trials", config.most_trials()},
      {"success", list_of(config.success,
                          [](const SuccessAlternative& rule) {
                            return Value(fmt::format("Success: {}.", success_words({rule})));
                          })},
      {"doubts", list_of(doubts(config, source), [](const auto& d) { return d.sentence(); })}});
  return "{\"document\":" + json_of(config) + "," + json.substr(json.find('{') + 1);
}

std::string error_json(const std::exception& error) {
  Object fields{{"error", error.what()}};
  std::vector<ConfigFault> faults;
  if (const auto* wrong = dynamic_cast<const ConfigError*>(&error)) faults = wrong->faults();
  if (const auto* wrong = dynamic_cast<const RequestError*>(&error)) {
    const std::string allowed = wrong->allowed.empty() ? "" : "must be " + wrong->allowed;
    const bool is_value = wrong->problem.empty();
    faults.emplace_back();
    faults.back().key = wrong->option;
    faults.back().what = is_value ? allowed : wrong->problem;
    if (!is_value) faults.back().allowed = allowed;
  }
  if (!faults.empty()) {
    fields.add({"faults", list_of(faults, [](const ConfigFault& fault) {
                  // The page shows the text that names a file, not the file.
                  const bool is_named = !fault.named_by.empty();
                  const ConfigFault in_file{fault.place, fault.key, fault.what};
                  return Object{{"line", is_named ? fault.named_at.line : fault.place.line},
                                {"key", is_named ? fault.named_by : fault.key},
                                {"what", is_named ? in_file.sentence() : fault.what},
                                {"allowed", fault.allowed}};
                })});
  }
  return json_text(fields);
}

std::string gripper_list_json() {
  return json_text(Object{{"grippers", list_of(gripper_models(), [](const GripperModel& model) {
                             return Object{{"model", model.id},
                                           {"product", model.product},
                                           {"opening_mm", model.opening_mm},
                                           {"closing_force_n", model.force_n},
                                           {"closing_speed_mm_s", model.speed_mm_s},
                                           {"pad_width_mm", model.pad_width_mm},
                                           {"pad_depth_mm", model.pad_depth_mm}};
                           })}});
}

}  // namespace graspmap
