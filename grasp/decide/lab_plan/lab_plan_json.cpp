#include "grasp/base/io/json_document.hpp"
#include "grasp/decide/lab_plan/lab_plan_report.hpp"

namespace graspmap {
namespace {

void write_goal(JsonWriter& json, const LabGoal& goal) {
  if (const auto* detect = std::get_if<DetectGoal>(&goal)) {
    json.field("kind", "detect");
    json.field("change", key(detect->change.difference));
    json.field("amount", detect->change.amount);
  } else if (const auto* agree = std::get_if<AgreeGoal>(&goal)) {
    json.field("kind", "agree_within");
    json.field("within", agree->within);
  } else {
    const auto& learn = std::get<LearnGoal>(goal);
    json.field("kind", "learn");
    json.field("parameter", key(learn.change));
    json.field("width", learn.width);
  }
}

void write_power(JsonWriter& json, const LabPower& power) {
  json.field("trials", power.trials);
  json.field("experiments", power.experiments);
  json.field("reached", power.reached);
  json.field("power", power.power());
  json.interval("interval_95", wilson_interval(power.reached, power.experiments));
}

void write_answer(JsonWriter& json, const LabAnswer& answer) {
  json.field("placements", name(answer.choice));
  json.field("enough", answer.search.found);
  json.field("trials", answer.search.trials);
  json.object("checked", [&] { write_power(json, answer.checked()); });
  json.objects("search", answer.search.steps,
               [&](const LabPower& power) { write_power(json, power); });
}

}  // namespace

std::string lab_plan_json(const LabPlan& plan) {
  const LabQuestion& question = plan.question;
  return json_document([&](JsonWriter& json) {
    json.field("run", plan.name);
    json.object("goal", [&] { write_goal(json, question.request.goal); });
    json.field("power", question.request.power);
    json.field("confidence", question.request.confidence);
    json.field("sessions", question.sessions);
    json.field("trials_per_placement", question.trials_per_placement);
    json.field("seed", question.seed);
    json.object("plan", [&] { write_answer(json, plan.answer); });
    if (plan.other) json.object("other", [&] { write_answer(json, *plan.other); });
  });
}

}  // namespace graspmap
