#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/json_document.hpp"
#include "grasp/base/io/text_table.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/decide/compare/fact_check.hpp"

namespace graspmap {
namespace {

std::int64_t count(const FactCheck& check, FactVerdict verdict) {
  return std::count_if(check.facts.begin(), check.facts.end(),
                       [&](const CheckedFact& fact) { return fact.verdict == verdict; });
}

std::string answer(const FactCheck& check) {
  const std::int64_t unclear = count(check, FactVerdict::kCannotBeTold);
  const std::int64_t wrong = count(check, FactVerdict::kDoesNotHold);
  std::string text = fmt::format("{} of {} published facts hold in this run",
                                 count(check, FactVerdict::kHolds), check.facts.size());
  if (wrong > 0) text += fmt::format("; {} {} not", wrong, wrong == 1 ? "does" : "do");
  if (unclear > 0) text += fmt::format("; {} cannot be told from its trials", unclear);
  return text + ".\n";
}

std::string value_text(const CheckedFact& fact) {
  if (std::isnan(fact.run.value)) return "none";
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", fact.run.value, fact.run.interval.low,
                     fact.run.interval.high);
}

/// "mean success probability", "extent ..., mm".
std::string quantity_text(const CheckedFact& fact) {
  const std::string unit = fact.unit;
  return unit.empty() ? fact.quantity : fmt::format("{}, {}", fact.quantity, unit);
}

std::string trials_text(const FactCheck& check) {
  if (!check.published.trials) return "";
  return fmt::format("  {} trials\n", *check.published.trials);
}

}  // namespace

std::string fact_check_text(const FactCheck& check) {
  std::string text = answer(check);
  text +=
      fmt::format("\nPublished ({}):\n{}Run: {}, {} trials\n\n",
                  origin_text(check.published.origin, check.published.source), trials_text(check),
                  run_text(check.run_name, check.theta_rad), check.run_trials);
  TextTable table({"published", "taken as", "asked", "this run", "verdict"});
  for (const CheckedFact& fact : check.facts) {
    table.add(
        {fact.fact.claim, quantity_text(fact), fact.asked, value_text(fact), name(fact.verdict)});
  }
  return text + table.text();
}

std::string fact_check_csv(const FactCheck& check) {
  std::string text = "claim,quantity,unit,asked,run,run_low,run_high,verdict\n";
  for (const CheckedFact& fact : check.facts) {
    append_csv_field(text, fact.fact.claim);
    text +=
        fmt::format(",{},{},{},{},{},{},{}\n", fact.quantity, fact.unit, fact.asked, fact.run.value,
                    fact.run.interval.low, fact.run.interval.high, name(fact.verdict));
  }
  return text;
}

std::string fact_check_json(const FactCheck& check) {
  return json_document([&](JsonWriter& json) {
    json.field("run", check.run_name);
    json.field("theta_rad", check.theta_rad);
    json.field("run_trials", check.run_trials);
    json.field("confidence", check.confidence);
    json.field("file", check.published.file);
    json.field("origin", name(check.published.origin));
    json.field("source", check.published.source);
    json.field("published_trials", check.published.trials);
    json.objects("facts", check.facts, [&](const CheckedFact& fact) {
      json.field("claim", fact.fact.claim);
      json.field("quantity", fact.quantity);
      json.field("unit", fact.unit);
      json.field("asked", fact.asked);
      json.field("run", fact.run.value);
      json.field("run_low", fact.run.interval.low);
      json.field("run_high", fact.run.interval.high);
      json.field("verdict", name(fact.verdict));
    });
  });
}

}  // namespace graspmap
