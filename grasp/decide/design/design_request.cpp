#include <algorithm>
#include <filesystem>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/decide/design/design_search.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/config/config_document.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;

void check_question(const DesignQuestion& question, const SweepConfig& config) {
  const DesignRule& rule = question.rule;
  const std::vector<DesignObjective> objectives = rule.objectives();
  const bool needs_error = std::any_of(
      objectives.begin(), objectives.end(),
      [](DesignObjective objective) { return objective != DesignObjective::kWorstCell; });
  if (needs_error && !question.error) {
    throw RequestError(
        "the robot's error is not known, under which designs are judged; must be given by [robot] "
        "or --position-sigma-mm, or design.objective must be \"worst-cell\"");
  }
  if (rule.placement.size() == 3 && config.placement.theta_rad.is_fixed()) {
    throw config_error({}, "design.placement",
                       "has an angle; must be [x, y] where the map has one angle only");
  }
}

}  // namespace

RequestFields DesignRequest::fields() {
  return {count_field("designs N", designs, 8, 100'000, "in the first generation (default: 128)"),
          count_field("generations N", generations, 0, 20,
                      "of designs near the best ones, each closer (default: 4)"),
          count_field("most-trials N", most_trials, 64, 65536,
                      "of a design in the race: 64, 128, 256, ... up to 65536 (default: 1024)"),
          count_field("trials N", trials, 100, 10'000'000,
                      "fresh trials that show how good the best design is (default: 4000)"),
          position_sigma_field(
              position_sigma_mm,
              "standard deviations of the robot's position error, in place of [robot]"),
          angle_sigma_field(angle_sigma_rad, "the same of its angle; for a map over angles"),
          seed_field(seed, "of designs and trials"),
          threads_field(threads),
          confidence_field(confidence),
          texts_field("set KEY=VALUE ...", set,
                      "override a key of the configuration, or take it away (KEY=); may be "
                      "repeated")};
}

AskedDesign asked_design(const std::string& file, const DesignRequest& request) {
  if ((request.most_trials & (request.most_trials - 1)) != 0) {
    throw RequestError("most-trials", "", "64, 128, 256, ... up to 65536");
  }
  const std::string text = written_toml(read_toml_text(file), file, request.set);
  // As it is written it has no lines; what is wrong in it is reported by the file.
  const SweepConfig config = read_sweep_config(file, request.set);
  if (!config.design) {
    throw config_error({file}, "design",
                       "missing; must say what a design may choose: [[design.variable]] with key, "
                       "min and max");
  }
  DesignQuestion question;
  static_cast<DesignEffort&>(question) = request;
  question.name = config.name;
  question.rule = *config.design;
  question.parts.push_back({config.name, text, file, question.rule.weight});
  for (const DesignPart& part : question.rule.parts) {
    std::string source = file;
    std::string other = text;
    if (!part.config.empty()) {
      source = (fs::path(file).parent_path() / part.config).string();
      read_sweep_config(source, {});  // reports faults with their lines
      other = with_table_of(read_toml_text(source), source, "gripper", text, file);
    }
    question.parts.push_back(
        {part.name, written_toml(other, source, part.set), source, part.weight});
  }
  question.error = robot_error_of(request.position_sigma_mm, request.angle_sigma_rad, config);
  check_question(question, config);
  const auto document = parse_toml(text, file);
  DesignSpace space(question.rule, [&](const std::string& key) {
    return static_cast<bool>(document.at_path(key));
  });
  return {std::move(question), std::move(space)};
}

}  // namespace graspmap
