#pragma once

#include <cstdint>
#include <vector>

#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// How many trials each cell should have of `total`, given a pilot: each at least what it has, at
/// most `most`. They make the mean standard error of the cells small (Neyman 1934, for a mean of
/// standard errors): with n trials a cell of success probability p has sqrt(p (1 - p) / n), so n
/// goes as (p (1 - p))^(1/3), by what is believed of p after the pilot. Numbers above the pilot's
/// are powers of two, at which nets are best and alike cells have as many (or `most`). More in
/// total is no less in any cell. The sum is `total` at most; it falls short by the rounding.
std::vector<int> allocated_trials(const SuccessMap& pilot, const std::vector<CellBelief>& beliefs,
                                  std::int64_t total, int most);

}  // namespace graspmap
