#include <fmt/format.h>

#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

RequestFields SupportFitRequest::fields() {
  return {
      points_field("center X,Y", center,
                   "the centre of mass in the file's frame, mm (default: 0,0)"),
      points_field("points X,Y;X,Y;...", points,
                   "points under the part in the file's frame, mm: 3 to 16"),
      number_field("grid-radius MM", grid_radius_mm, kAboveZero,
                   "radius about the centre of mass that the grid of points fills (default: twice "
                   "--length)"),
      number_field("length MM", length_mm, kAboveZero,
                   "length that moments are divided by for angles and fits\n(default: root mean "
                   "square of the moments over that of the forces)"),
      number_field("weight-n N", weight_n, kAboveZero,
                   "the part's weight, to find friction.support"),
      count_field("folds N", folds, 2, 20, "groups of held-out pushes (default: 10)"),
      count_field("resamples N", resamples, 5, 10000,
                  "bootstrap samples for the parameters' intervals (default: 100)"),
      seed_field(seed, "of the folds and the bootstrap"),
      confidence_field(confidence)};
}

SupportFit fit_support(const std::filesystem::path& pushes, const SupportFitRequest& request,
                       const std::function<void(double)>& show) {
  SupportFitOptions options = request;
  options.progress = show;
  for (const auto& [x, y] : request.points) options.points_mm.emplace_back(x, y);
  const std::size_t points = options.points_mm.size();
  if (points > 0 && (points < 3 || points > kMaxSupportPoints)) {
    throw RequestError("points", fmt::format("has {} points", points),
                       fmt::format("3 to {}", kMaxSupportPoints));
  }
  if (request.center.size() > 1) {
    throw RequestError("center", "", "one point X,Y in mm");
  }
  const auto [x, y] = request.center.empty() ? std::array{0.0, 0.0} : request.center.front();
  return fit_support(read_pushes(pushes, Vec2(x, y)), options);
}

}  // namespace graspmap
