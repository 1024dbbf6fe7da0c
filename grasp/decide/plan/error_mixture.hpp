#pragma once

#include <cstddef>
#include <vector>

#include "grasp/decide/plan/placement_error.hpp"
#include "grasp/decide/plan/success_field.hpp"

namespace graspmap {

/// One of several equally probable things that an error may be: independent in each coordinate,
/// around a place off the nominal placement.
struct ErrorComponent {
  PlacementVector shift{};
  PlacementError spread{};
  std::size_t world = 0;  ///< what is unknown but constant: components of one world share it
  std::size_t law = 0;    ///< place in ErrorMixture::laws; without laws it does not count
};

/// The error of a placement as a mixture: correlated coordinates, an unknown offset, a spread known
/// from few repeats and unknown laws of friction are all averages over errors that are simple.
struct ErrorMixture {
  /// An error that is independent in each coordinate.
  ErrorMixture(const PlacementError& error)  // NOLINT(google-explicit-constructor): is one
      : components{{{}, error}}, overall(error) {}
  ErrorMixture(const AxisError& x, const AxisError& y, const AxisError& theta)
      : ErrorMixture(PlacementError{x, y, theta}) {}
  /// No error.
  ErrorMixture() : ErrorMixture(PlacementError{}) {}

  std::vector<ErrorComponent> components;
  PlacementError overall;  ///< of each coordinate, with what is unknown: for grids and drawings
  std::size_t worlds = 1;
  /// What the trials count under other laws: of each law, by SuccessField::Trial::source.
  std::vector<std::vector<double>> laws;

  /// Nothing but an error that is independent in each coordinate.
  [[nodiscard]] bool is_simple() const { return components.size() == 1 && laws.empty(); }
};

}  // namespace graspmap
