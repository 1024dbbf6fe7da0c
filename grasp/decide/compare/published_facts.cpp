#include "grasp/decide/compare/published_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/decide/compare/map_numbers.hpp"
#include "grasp/sweep/config/config_document.hpp"

namespace graspmap {
namespace {

constexpr std::array kKinds = {FactKind::kSweetSpot, FactKind::kProbabilityAtLeast,
                               FactKind::kProbabilityBelow, FactKind::kLowAreaBehind};
constexpr NumberRange kProbabilities{.min = 0.0, .max = 1.0};

void read_sweet_spot(const TomlTable& table, PublishedFact& fact) {
  fact.x_mm = table.number("x_mm", kAnyNumber);
  fact.y_mm = table.number("y_mm", kAnyNumber);
  fact.within_mm = table.number("within_mm", kPositive);
}

void check_rectangle(const TomlTable& table, const Rectangle& r) {
  if (!(r.x_min_mm < r.x_max_mm)) {
    table.fail("x_min_mm",
               fmt::format("is {}; must be below x_max_mm = {}", r.x_min_mm, r.x_max_mm));
  }
  if (!(r.y_min_mm < r.y_max_mm)) {
    table.fail("y_min_mm",
               fmt::format("is {}; must be below y_max_mm = {}", r.y_min_mm, r.y_max_mm));
  }
}

void read_probability(const TomlTable& table, PublishedFact& fact) {
  fact.rectangle = {table.number("x_min_mm", kAnyNumber), table.number("x_max_mm", kAnyNumber),
                    table.number("y_min_mm", kAnyNumber), table.number("y_max_mm", kAnyNumber)};
  fact.probability = table.number("probability", kProbabilities);
  table.check_keys();
  check_rectangle(table, fact.rectangle);
}

PublishedFact read_fact(const TomlTable& table) {
  PublishedFact fact;
  fact.claim = table.text("claim");
  fact.kind = kKinds[table.kind(
      "kind", {"sweet_spot", "probability_at_least", "probability_below", "low_area_behind"})];
  switch (fact.kind) {
    case FactKind::kSweetSpot:
      read_sweet_spot(table, fact);
      break;
    case FactKind::kProbabilityAtLeast:
    case FactKind::kProbabilityBelow:
      read_probability(table, fact);
      break;
    case FactKind::kLowAreaBehind:
      fact.least_extent_mm = table.number("least_extent_mm", kPositive);
      break;
  }
  table.check_keys();
  return fact;
}

PublishedFacts read_facts(const TomlTable& root, const std::string& file) {
  PublishedFacts facts;
  facts.file = file;
  facts.origin = kExperimentOrigins[root.choice("origin", {"measured", "digitised", "simulated"})];
  if (root.has("source")) facts.source = root.text("source");
  if (root.has("trials")) {
    facts.trials = root.integer("trials", 1, std::numeric_limits<std::int64_t>::max());
  }
  const std::vector<TomlTable> tables = root.tables("fact");
  root.check_keys();
  for (const TomlTable& table : tables) facts.facts.push_back(read_fact(table));
  return facts;
}

}  // namespace

PublishedFacts read_published_facts(const std::filesystem::path& file) {
  const toml::table document = load_toml(file, {});
  check_toml_kind(document, TomlKind::kFacts);
  return read_toml(document,
                   [&](const TomlTable& root) { return read_facts(root, file.string()); });
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kNothing{kNone, {kNone, kNone}};

/// The run's map in numbers, by comparing it with itself.
MapNumbers numbers_of(const SweepConfig& config, const std::vector<RectangleProbability>& cells,
                      double confidence) {
  const PlacementSweep& map = config.placement;
  std::vector<SharedCell> shared;
  for (std::size_t k = 0; k < map.index(0, 0, 1); ++k) {
    shared.push_back({{}, k, cells[k].counts, cells[k].probability, cells[k].counts});
  }
  return map_numbers(shared, {map.x_mm, map.y_mm}, config, confidence);
}

const Estimate& number(const MapNumbers& numbers, const char* key) {
  const auto found = std::find_if(numbers.numbers.begin(), numbers.numbers.end(),
                                  [&](const MapNumber& n) { return n.key == key; });
  if (found == numbers.numbers.end()) throw std::logic_error("no such number of a map");
  return found->run;
}

/// |x - target| over an interval of x.
Estimate distance(const Estimate& x, double target) {
  const double low = std::abs(x.interval.low - target);
  const double high = std::abs(x.interval.high - target);
  const bool inside = x.interval.low <= target && target <= x.interval.high;
  return {std::abs(x.value - target), {inside ? 0.0 : std::min(low, high), std::max(low, high)}};
}

Estimate sweet_spot_distance(const MapNumbers& numbers, const PublishedFact& fact) {
  const Estimate& x = number(numbers, "sweet_spot_x_mm");
  const Estimate& y = number(numbers, "sweet_spot_y_mm");
  if (std::isnan(x.value) || std::isnan(y.value)) return kNothing;
  const Estimate dx = distance(x, fact.x_mm);
  const Estimate dy = distance(y, fact.y_mm);
  return {std::hypot(dx.value, dy.value),
          {std::hypot(dx.interval.low, dy.interval.low),
           std::hypot(dx.interval.high, dy.interval.high)}};
}

FactVerdict at_least(const Estimate& value, double bound) {
  if (value.interval.low >= bound) return FactVerdict::kHolds;
  return value.interval.high < bound ? FactVerdict::kDoesNotHold : FactVerdict::kCannotBeTold;
}

FactVerdict below(const Estimate& value, double bound) {
  if (value.interval.high < bound) return FactVerdict::kHolds;
  return value.interval.low >= bound ? FactVerdict::kDoesNotHold : FactVerdict::kCannotBeTold;
}

FactVerdict at_most(const Estimate& value, double bound) {
  if (value.interval.high <= bound) return FactVerdict::kHolds;
  return value.interval.low > bound ? FactVerdict::kDoesNotHold : FactVerdict::kCannotBeTold;
}

CheckedFact check_fact(const PublishedFact& fact, const MapNumbers& numbers,
                       const Estimate& probability) {
  CheckedFact checked{fact, "mean success probability", "", "", probability};
  switch (fact.kind) {
    case FactKind::kSweetSpot:
      checked = {fact, "distance of the sweet spots", "mm", fmt::format("<= {}", fact.within_mm),
                 sweet_spot_distance(numbers, fact)};
      checked.verdict = at_most(checked.run, fact.within_mm);
      break;
    case FactKind::kProbabilityAtLeast:
      checked.asked = fmt::format(">= {}", fact.probability);
      checked.verdict = at_least(probability, fact.probability);
      break;
    case FactKind::kProbabilityBelow:
      checked.asked = fmt::format("< {}", fact.probability);
      checked.verdict = below(probability, fact.probability);
      break;
    case FactKind::kLowAreaBehind:
      checked = {fact, "extent of p < 0.5 behind the sweet spot", "mm",
                 fmt::format(">= {}", fact.least_extent_mm), kNothing};
      if (std::isnan(numbers.x_mm)) break;
      checked.run = number(numbers, "low_extent_behind_mm");
      // On a line that nowhere is low, the extent is 0.
      if (std::isnan(checked.run.value)) checked.run = {0.0, {0.0, 0.0}};
      checked.verdict = at_least(checked.run, fact.least_extent_mm);
      break;
  }
  return checked;
}

}  // namespace

const char* name(FactVerdict verdict) {
  constexpr std::array kNames = {"holds", "does not hold", "cannot be told"};
  return kNames[static_cast<std::size_t>(verdict)];
}

FactCheck check_facts(const RunStore& run, const PublishedFacts& published, double confidence,
                      int slice) {
  const SweepConfig& config = run.config();
  // The map's cells, then a rectangle for each fact; one that a fact has no use for is not read.
  std::vector<Rectangle> rectangles;
  const std::size_t cells = config.placement.index(0, 0, 1);
  for (std::size_t k = 0; k < cells; ++k) rectangles.push_back(rectangle_of(config.placement, k));
  for (const PublishedFact& fact : published.facts) rectangles.push_back(fact.rectangle);
  const auto probabilities =
      rectangle_probabilities(run, rectangles, two_sided_z(confidence), slice);
  const MapNumbers numbers = numbers_of(config, probabilities, confidence);

  FactCheck check;
  check.run_name = config.name;
  const Axis& theta = config.placement.theta_rad;
  if (theta.cells > 1) check.theta_rad = theta.cell_center(slice);
  check.confidence = confidence;
  check.published = published;
  check.published.facts.clear();
  for (std::size_t k = 0; k < cells; ++k) {
    check.run_trials += probabilities[k].counts.trials + probabilities[k].counts.failed;
  }
  for (std::size_t k = 0; k < published.facts.size(); ++k) {
    check.facts.push_back(
        check_fact(published.facts[k], numbers, probabilities[cells + k].probability));
  }
  return check;
}

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
  if (unclear > 0) text += fmt::format("; {} cannot be decided from its trials", unclear);
  return text + ".\n";
}

std::string value_text(const CheckedFact& fact) {
  if (std::isnan(fact.run.value)) return "none";
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", fact.run.value, fact.run.interval.low,
                     fact.run.interval.high);
}

}  // namespace

std::string fact_check_text(const FactCheck& check) {
  std::string text = answer(check);
  const auto& trials = check.published.trials;
  text += fmt::format("\nPublished ({}):\n{}Run: {}, {} trials\n\n",
                      origin_text(check.published.origin, check.published.source),
                      trials ? fmt::format("  {} trials\n", *trials) : "",
                      run_text(check.run_name, check.theta_rad), check.run_trials);
  TextTable table({"published", "taken as", "asked", "this run", "verdict"});
  for (const CheckedFact& fact : check.facts) {
    const std::string unit = fact.unit;
    table.add({fact.fact.claim, unit.empty() ? fact.quantity : fact.quantity + ", " + unit,
               fact.asked, value_text(fact), name(fact.verdict)});
  }
  return text + table.text();
}

namespace {

/// What was published, and what of it is asked.
Object fact_fields(const CheckedFact& fact) {
  return {{"claim", fact.fact.claim},
          {"quantity", fact.quantity},
          {"unit", fact.unit},
          {"asked", fact.asked},
          {"run", fact.run.value},
          {"run_low", fact.run.interval.low},
          {"run_high", fact.run.interval.high},
          {"verdict", name(fact.verdict), "holds, does not hold, cannot be told"}};
}

}  // namespace

Table fact_check_table(const FactCheck& check) {
  return table_of<CheckedFact>(check.facts, fact_fields);
}

Object fact_check_fields(const FactCheck& check) {
  return {{"run", check.run_name},
          {"theta_rad", check.theta_rad},
          {"run_trials", check.run_trials},
          {"confidence", check.confidence},
          {"file", check.published.file},
          {"origin", name(check.published.origin)},
          {"source", check.published.source},
          {"published_trials", check.published.trials},
          {"facts", list_of(check.facts, fact_fields)}};
}

}  // namespace graspmap
