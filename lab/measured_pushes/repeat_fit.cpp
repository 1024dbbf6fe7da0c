#include "lab/measured_pushes/repeat_fit.hpp"

#include <cmath>
#include <limits>

#include "lab/measured_pushes/least_squares.hpp"
#include "lab/measured_pushes/normal_draws.hpp"
#include "lab/measured_pushes/push_fit.hpp"
#include "lab/measured_pushes/push_study.hpp"

namespace graspmap {
namespace {

// A part that slips off a finger ends elsewhere: the misfit has many valleys.
constexpr int kTried = 60;
constexpr double kUnit = 5.0;  // of unknowns, in standard deviations: ends jump a little
constexpr std::uint64_t kFitSeed = 1;

/// Where a run's part was seen at the end of a push; nothing where the camera had lost it.
std::optional<Pose2> seen_at_rest(const RepeatedRun& run, std::size_t push) {
  return push + 1 == run.pushes.size() ? run.end : run.pushes[push].back().part;
}

HandFit fitted_hand(const PushedShape& shape, const std::vector<const RepeatedRun*>& runs,
                    Workspace& workspace, SimulationResult& result) {
  const HandScene scene(shape);
  const double length_mm = hand_law(shape, HandParameters::Zero()).length_mm;
  HandFit fit;
  fit.runs = static_cast<int>(runs.size());
  for (const RepeatedRun* run : runs) {
    for (std::size_t k = 0; k < run->pushes.size(); ++k) fit.rests += seen_at_rest(*run, k) ? 1 : 0;
  }
  if (runs.empty()) return fit;
  const Residuals residuals = [&](const Eigen::VectorXd& x, Eigen::VectorXd& found) {
    const HandLaw law = hand_law(shape, kUnit * kHandPriorSd.cwiseProduct(x));
    Eigen::Index row = 0;
    for (const RepeatedRun* run : runs) {
      const std::vector<Pose2> rests = scene.rests(*run, run->start, law, workspace, result);
      for (std::size_t k = 0; k < run->pushes.size(); ++k) {
        const auto seen = seen_at_rest(*run, k);
        if (!seen) continue;
        const Pose2& said = rests.empty() ? run->start : rests[k];
        found.segment<3>(row) = end_residual(said, *seen, length_mm);
        row += 3;
      }
    }
    found.tail<kHandParameters>() = kUnit * x;
  };
  Eigen::VectorXd best = Eigen::VectorXd::Zero(kHandParameters);
  Eigen::VectorXd found(3 * fit.rests + kHandParameters);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kTried; ++k) {
    const Eigen::VectorXd x =
        normal_draws(kHandParameters, kFitSeed, static_cast<std::uint64_t>(k));
    residuals(x, found);
    if (found.squaredNorm() >= least) continue;
    least = found.squaredNorm();
    best = x;
  }
  const Eigen::VectorXd x = least_squares(best, found.size(), residuals);
  residuals(x, found);
  fit.parameters = kUnit * kHandPriorSd.cwiseProduct(x);
  fit.misfit = found.squaredNorm();
  return fit;
}

}  // namespace

HandLaw hand_law(const PushedShape& shape, const HandParameters& parameters) {
  return {.hand = {parameters.head<2>(), parameters[2]},
          .part = {parameters.segment<2>(3), parameters[5]},
          .mu_finger = kPriorFriction * std::exp(parameters[kLogFriction]),
          .length_mm = mean_radius_mm(shape.part, shape.mass.center_of_mass_P_mm) *
                       std::exp(parameters[kLogLength])};
}

std::map<std::string, HandFit> fit_hands(const RepeatedPushes& data, const SweepControl& control) {
  std::map<std::string, std::vector<const RepeatedRun*>> runs;
  for (const RepeatedRun& run : data.runs) {
    auto& some = runs[run.object];
    if (run.is_fitted_on()) some.push_back(&run);
  }
  std::vector<std::string> objects;
  for (const auto& [object, some] : runs) objects.push_back(object);
  std::vector<HandFit> found(objects.size());
  for_all(objects.size(), control,
          [&](std::size_t k, Workspace& workspace, SimulationResult& result) {
            found[k] = fitted_hand(data.shapes.at(objects[k]), runs[objects[k]], workspace, result);
          });
  std::map<std::string, HandFit> fits;
  for (std::size_t k = 0; k < objects.size(); ++k) fits.emplace(objects[k], found[k]);
  return fits;
}

}  // namespace graspmap
