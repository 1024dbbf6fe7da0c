#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace graspmap {

/// One grade of each tolerance, by their places.
using GradeSet = std::vector<std::size_t>;

/// What is asked for: the cheapest set of grades that is good enough.
struct GradeProblem {
  /// The cost of each grade of each tolerance; ascending: the next grade is dearer and narrower.
  std::vector<std::vector<double>> costs;
  /// Whether a set is good enough. A set is not worse than another one whose grades are all as wide
  /// or wider.
  std::function<bool(const GradeSet&)> is_good;
  /// Called now and then with the share of the sets that are decided; may be empty.
  std::function<void(double)> show;
  std::size_t most_tries = 3000;  ///< sets that are tried before the search gives up its proof
};

struct GradeSearch {
  bool found = false;  ///< false: not even the narrowest set is good enough
  GradeSet grades;     ///< the cheapest; when not found the narrowest
  double cost = 0.0;
  bool proven = false;    ///< every cheaper set is not good enough
  std::size_t sets = 0;   ///< how many there are; as many as a number can hold
  std::size_t tried = 0;  ///< how many were asked for
};

double cost_of(const GradeProblem& problem, const GradeSet& set);

/// The cheapest set that is good enough.
///
/// A first one comes from the narrowest by taking the wider grade that saves most while the set
/// stays good enough, again and again. Then branch and bound: of the sets that cost less, are not
/// wider in every grade than one that is known not to be good enough, and were not tried, the
/// dearest is tried. When it is good enough it is widened in the same way and is the bound; else
/// all sets that are wider go with it. When none is left the cheapest is proven. With more than
/// 200,000 sets, or too many tries, it is not proven: there single grades are made narrower and the
/// others widened again until no such exchange is cheaper.
GradeSearch cheapest_grades(const GradeProblem& problem);

}  // namespace graspmap
