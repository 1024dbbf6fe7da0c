#include "grasp/decide/compare/published_facts.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/toml_kind.hpp"

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

}  // namespace graspmap
