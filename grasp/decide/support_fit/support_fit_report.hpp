#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"

namespace graspmap {

/// What is printed: errors of each model, which explains best, the [support] block of the simplest
/// that the pushes do not tell apart from it.
std::string support_fit_text(const SupportFit& fit);

/// All of it as JSON.
Object support_fit_fields(const SupportFit& fit);

/// The held-out errors of each row by each model.
Table support_fit_table(const SupportFit& fit);

/// support.toml: that block with comments.
std::string support_fit_toml(const SupportFit& fit);

/// Sections of the limit surfaces with the measured wrenches; errors of the models.
std::vector<Figure> support_fit_figures(const SupportFit& fit);

}  // namespace graspmap
