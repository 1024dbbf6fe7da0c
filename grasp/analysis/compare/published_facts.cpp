#include "grasp/analysis/compare/published_facts.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "grasp/io/toml_document.hpp"
#include "grasp/io/toml_reader.hpp"

namespace graspmap {
namespace {

constexpr std::array kKinds = {FactKind::kSweetSpot, FactKind::kProbabilityAtLeast,
                               FactKind::kProbabilityBelow, FactKind::kLowAreaBehind};
constexpr NumberRange kProbabilities{.min = 0.0, .max = 1.0};

void read_sweet_spot(const TomlTable& table, PublishedFact& fact) {
  table.allow_only({"claim", "kind", "x_mm", "y_mm", "within_mm"});
  fact.x_mm = table.number("x_mm", kAnyNumber);
  fact.y_mm = table.number("y_mm", kAnyNumber);
  fact.within_mm = table.number("within_mm", kPositive);
}

void read_probability(const TomlTable& table, PublishedFact& fact) {
  table.allow_only(
      {"claim", "kind", "x_min_mm", "x_max_mm", "y_min_mm", "y_max_mm", "probability"});
  fact.rectangle = {table.number("x_min_mm", kAnyNumber), table.number("x_max_mm", kAnyNumber),
                    table.number("y_min_mm", kAnyNumber), table.number("y_max_mm", kAnyNumber)};
  const Rectangle& r = fact.rectangle;
  if (!(r.x_min_mm < r.x_max_mm)) {
    table.fail("x_min_mm",
               fmt::format("is {}; must be below x_max_mm = {}", r.x_min_mm, r.x_max_mm));
  }
  if (!(r.y_min_mm < r.y_max_mm)) {
    table.fail("y_min_mm",
               fmt::format("is {}; must be below y_max_mm = {}", r.y_min_mm, r.y_max_mm));
  }
  fact.probability = table.number("probability", kProbabilities);
}

PublishedFact read_fact(const TomlTable& table) {
  PublishedFact fact;
  fact.claim = table.text("claim");
  fact.kind = kKinds[table.choice(
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
      table.allow_only({"claim", "kind", "least_extent_mm"});
      fact.least_extent_mm = table.number("least_extent_mm", kPositive);
      break;
  }
  return fact;
}

}  // namespace

PublishedFacts read_published_facts(const std::filesystem::path& file) {
  const toml::table document = load_toml(file, {});
  const TomlTable root(document);
  root.allow_only({"origin", "source", "trials", "fact"});
  PublishedFacts facts;
  facts.file = file.string();
  facts.origin = kExperimentOrigins[root.choice("origin", {"measured", "digitised", "simulated"})];
  if (root.has("source")) facts.source = root.text("source");
  if (root.has("trials")) {
    facts.trials = root.integer("trials", 1, std::numeric_limits<std::int64_t>::max());
  }
  for (const TomlTable& table : root.tables("fact")) facts.facts.push_back(read_fact(table));
  return facts;
}

}  // namespace graspmap
