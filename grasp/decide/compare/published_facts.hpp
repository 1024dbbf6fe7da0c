#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/compare/rectangle_probability.hpp"

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

}  // namespace graspmap
