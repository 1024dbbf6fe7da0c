#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// What a fact says.
enum class FactKind {
  kSweetSpot,           ///< the sweet spot is within a distance of a placement
  kProbabilityAtLeast,  ///< the mean success probability over a rectangle is at least p
  kProbabilityBelow,    ///< ... is below p
  kLowAreaBehind        ///< p < 0.5 over a length on the line from the sweet spot towards +y
};

/// A statement that is published about an experiment.
struct PublishedFact {
  std::string claim;  ///< in words
  FactKind kind = FactKind::kSweetSpot;
  double x_mm = 0.0;  ///< sweet spot
  double y_mm = 0.0;
  double within_mm = 0.0;
  Rectangle rectangle;  ///< probabilities
  double probability = 0.0;
  double least_extent_mm = 0.0;  ///< low area
};

struct PublishedFacts {
  std::string file;
  ExperimentOrigin origin = ExperimentOrigin::kMeasured;
  std::string source;
  std::optional<std::int64_t> trials;
  std::vector<PublishedFact> facts;  ///< at least one
};

/// Reads a file of facts (TOML; docs/reference/formats.md lists the keys). Throws ConfigError
/// "FILE:LINE: KEY: ...".
PublishedFacts read_published_facts(const std::filesystem::path& file);

enum class FactVerdict { kHolds, kDoesNotHold, kCannotBeTold };

/// "holds", "does not hold", "cannot be told".
const char* name(FactVerdict verdict);

/// A fact and what a run shows of it.
struct CheckedFact {
  PublishedFact fact;
  std::string quantity;  ///< what is looked at: "mean success probability"
  const char* unit;
  /// What the fact asks of the run's value: "<= 1.5".
  std::string asked;
  Estimate run;  ///< NaN when the run has no such thing
  FactVerdict verdict = FactVerdict::kCannotBeTold;
};

struct FactCheck {
  std::string run_name;
  std::optional<double> theta_rad;  ///< centre of the cell of angles, where the run has several
  std::int64_t run_trials = 0;
  double confidence = 0.95;
  PublishedFacts published;  ///< without the facts
  std::vector<CheckedFact> facts;
};

/// Checks facts against a run. A fact holds when it does for the whole interval of the run's value,
/// does not when it does for none of it, and cannot be told otherwise. Values: the mean probability
/// of a rectangle (rectangle_probabilities; what lies beyond the map may be anything), the distance
/// of the run's sweet spot from the published one, and the extent of the low area behind it
/// (map_numbers; the distance's interval reaches over all spots whose x and y lie in theirs).
/// `slice` is the run's cell of angles.
FactCheck check_facts(const RunStore& run, const PublishedFacts& published, double confidence,
                      int slice = 0);

/// For a person: how many hold, then a table.
std::string fact_check_text(const FactCheck& check);

/// facts.csv and facts.json.
Table fact_check_table(const FactCheck& check);
Object fact_check_fields(const FactCheck& check);

}  // namespace graspmap
