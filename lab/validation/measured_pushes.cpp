#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <tuple>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "lab/measured_pushes/push_spread.hpp"
#include "lab/measured_pushes/push_study.hpp"
#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

constexpr const char* kPushPaper =
    "pushes of Yu et al. 2016 as published by Zhou et al. 2017 (github.com/robinzhoucmu/Pushing)";
constexpr const char* kPublished = "Zhou et al. 2017: their simulations of the same pushes";
constexpr const char* kUniform = "an ellipsoid of uniform pressure, friction 0.25";
constexpr int kDraws = 39;                  // of each push, for its regions
constexpr std::size_t kLeastCovered = 100;  // pushes of a group, for shares of them
constexpr std::size_t kMostCovered = 600;   // pushes of a group whose regions are looked at
constexpr std::uint64_t kSeed = 1;

/// How far ends are apart.
struct EndError {
  double position_mm = 0.0;
  double angle_deg = 0.0;
};

EndError end_error(const Pose2& said, const Pose2& measured) {
  return {(said.position_mm - measured.position_mm).norm(),
          std::abs(wrapped_angle(said.angle_rad - measured.angle_rad)) * 180.0 / std::numbers::pi};
}

/// Where a push is said to end; nothing where nobody says.
using Prediction = std::optional<Pose2>;

/// Errors of many pushes.
struct EndErrors {
  std::vector<double> position_mm;
  std::vector<double> angle_deg;

  [[nodiscard]] bool is_empty() const { return position_mm.empty(); }
};

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Pushes that are compared together.
struct PushGroup {
  std::string name;  ///< "trim, abs, 10 mm/s"
  std::vector<std::size_t> pushes;
};

class PushReport {
 public:
  PushReport(const PushData& data, const PushStudy& study, ExampleReport& report)
      : data_(data), study_(study), report_(report) {}

  void add_groups();
  void add_directions();
  void add_covers(const std::function<void(const std::string&)>& say);
  void add_sets();
  void add_ends();
  void add_remarks();

 private:
  using Who = Prediction (PushReport::*)(std::size_t push) const;
  [[nodiscard]] EndErrors errors(const std::vector<std::size_t>& pushes, Who who) const;
  [[nodiscard]] std::vector<PushGroup> groups(bool with_trained) const;
  void add_group(const PushGroup& group, bool trained);

  [[nodiscard]] Prediction ours(std::size_t k) const { return study_.predictions[k].fitted.end; }
  [[nodiscard]] Prediction uniform(std::size_t k) const {
    return study_.predictions[k].uniform.end;
  }
  [[nodiscard]] Prediction directed(std::size_t k) const {
    return study_.predictions[k].directed.end;
  }
  [[nodiscard]] Prediction unmoved(std::size_t k) const { return data_.pushes[k].start; }
  [[nodiscard]] Prediction published(std::size_t k) const {
    return data_.pushes[k].published_fourth_order;
  }

  const PushData& data_;
  const PushStudy& study_;
  ExampleReport& report_;
};

EndErrors PushReport::errors(const std::vector<std::size_t>& pushes, Who who) const {
  EndErrors all;
  for (const std::size_t k : pushes) {
    const Prediction said = (this->*who)(k);
    if (!said) return {};
    const EndError error = end_error(*said, *data_.pushes[k].end);
    all.position_mm.push_back(error.position_mm);
    all.angle_deg.push_back(error.angle_deg);
  }
  return all;
}

/// By window, surface and speed.
std::vector<PushGroup> PushReport::groups(bool with_trained) const {
  std::map<std::tuple<std::string, std::string, double>, PushGroup> found;
  for (std::size_t k = 0; k < data_.pushes.size(); ++k) {
    const RecordedPush& push = data_.pushes[k];
    if (!push.end || (push.split == "train" && !with_trained)) continue;
    PushGroup& group = found[{push.window, push.surface, push.speed_mm_s}];
    group.name = fmt::format("{}, {}, {:g} mm/s", push.window, push.surface, push.speed_mm_s);
    group.pushes.push_back(k);
  }
  std::vector<PushGroup> all;
  for (auto& [key, group] : found) all.push_back(std::move(group));
  return all;
}

void PushReport::add_group(const PushGroup& group, bool trained) {
  const EndErrors found = errors(group.pushes, &PushReport::ours);
  const std::string name = fmt::format("{} ({} pushes): ", group.name, group.pushes.size());
  const EndErrors others = errors(group.pushes, &PushReport::published);
  if (!others.is_empty()) {
    const std::string what = trained ? ", with those fitted on" : "";
    report_.at_most(name + "mean error of position, mm" + what, mean_of(others.position_mm),
                    kPublished, mean_of(found.position_mm));
    report_.at_most(name + "mean error of angle, degrees" + what, mean_of(others.angle_deg),
                    kPublished, mean_of(found.angle_deg));
  }
  if (trained) return;
  for (const auto& [who, source] : {std::pair{&PushReport::uniform, kUniform},
                                    std::pair{&PushReport::unmoved, "the part stays"}}) {
    const EndErrors naive = errors(group.pushes, who);
    report_.shown(name + "mean of position, mm, beside a naive guess", mean_of(naive.position_mm),
                  source, mean_of(found.position_mm), "");
    report_.shown(name + "mean of angle, degrees, beside a naive guess", mean_of(naive.angle_deg),
                  source, mean_of(found.angle_deg), "");
  }
  if (others.is_empty()) return;
  for (const auto& [word, share] : {std::pair{"median", 0.5}, std::pair{"worst tenth", 0.9}}) {
    report_.shown(fmt::format("{}: {} of position, mm", group.name, word),
                  sample_quantile(others.position_mm, share), kPublished,
                  sample_quantile(found.position_mm, share), "");
    report_.shown(fmt::format("{}: {} of angle, degrees", group.name, word),
                  sample_quantile(others.angle_deg, share), kPublished,
                  sample_quantile(found.angle_deg, share), "");
  }
  std::vector<std::size_t> sound;
  std::copy_if(group.pushes.begin(), group.pushes.end(), std::back_inserter(sound),
               [&](std::size_t k) { return !data_.pushes[k].doubtful; });
  if (sound.size() == group.pushes.size() || sound.empty()) return;
  report_.shown(fmt::format("{}: mean of position without {} doubtful measurements, mm", group.name,
                            group.pushes.size() - sound.size()),
                mean_of(errors(sound, &PushReport::published).position_mm), kPublished,
                mean_of(errors(sound, &PushReport::ours).position_mm), "");
}

void PushReport::add_groups() {
  const std::vector<PushGroup> unseen = groups(false);
  for (const PushGroup& group : unseen) add_group(group, false);
  for (const PushGroup& group : groups(true)) {
    const bool is_new = std::none_of(unseen.begin(), unseen.end(), [&](const PushGroup& other) {
      return other.name == group.name && other.pushes.size() == group.pushes.size();
    });
    if (is_new) add_group(group, true);
  }
}

/// Whether friction that depends on the direction on the table explains more.
void PushReport::add_directions() {
  for (const PushGroup& group : groups(false)) {
    const auto mean = [&](Who who) { return mean_of(errors(group.pushes, who).position_mm); };
    report_.shown(
        fmt::format("{}: mean error of position, mm, on a table with a direction", group.name),
        mean(&PushReport::ours), "the table without", mean(&PushReport::directed), "");
  }
}

/// How many measured ends lie in the regions where the simulations' ends are.
void PushReport::add_covers(const std::function<void(const std::string&)>& say) {
  CurvesFigure figure{"r1_cover", "R1: measured ends in the regions of simulated ends",
                      "pushes that nothing was fitted on; the straight line is a perfect forecast",
                      "level of the region", "share of measured ends in it"};
  figure.equal_axes = true;
  figure.curves.push_back({.title = "perfect", .style = "lw 1 dt 2"});
  figure.curves.back().x = figure.curves.back().y = {0.0, 1.0};
  std::map<std::string, PushSpread> spreads;
  for (const PushGroup& group : groups(false)) {
    if (group.pushes.size() < kLeastCovered) continue;
    const std::string& surface = data_.pushes[group.pushes[0]].surface;
    if (!spreads.contains(surface)) {
      const PushSpread spread = fit_spread(data_, study_, surface, {});
      spreads.emplace(surface, spread);
      report_.remarks.push_back(fmt::format(
          "From push to push on {}: friction of the pusher +-{:.0f} %, axes of the surface "
          "+-{:.0f} %, camera {:.2f} mm and {:.2f} degrees (standard deviations), with the tails "
          "of Student's t of {:.1f} degrees of freedom.",
          surface, 100.0 * spread.friction, 100.0 * spread.axes, spread.position_mm,
          spread.angle_rad * 180.0 / std::numbers::pi, spread.freedom));
    }
    std::vector<std::size_t> some;
    const std::size_t every = group.pushes.size() / kMostCovered + 1;
    for (std::size_t i = 0; i < group.pushes.size(); i += every) some.push_back(group.pushes[i]);
    say(fmt::format("regions of {} pushes, {}", some.size(), group.name));
    const std::vector<double> ranks =
        ranks_of_ends(data_, study_, spreads.at(surface), some, kDraws, kSeed, {});
    for (const auto& [level, allowed] : {std::pair{0.5, 0.1}, std::pair{0.9, 0.05}}) {
      report_.equals(fmt::format("{}: share of ends in the region of {:.0f} % ({} pushes)",
                                 group.name, 100.0 * level, some.size()),
                     level, "the level", cover_of(ranks, level), allowed);
    }
    Curve& curve = figure.curves.emplace_back(Curve{group.name});
    for (int k = 0; k <= kDraws + 1; ++k) {
      const double level = static_cast<double>(k) / (kDraws + 1);
      curve.add(level, cover_of(ranks, level));
    }
  }
  if (!spreads.empty()) report_.figures.push_back(curves_figure(figure));
}

/// Each shape on each surface.
void PushReport::add_sets() {
  CurvesFigure figure{"r1_sets", "R1: mean error of position of each shape on each surface",
                      "a point below the line: graspmap is nearer to the measured ends",
                      "Zhou et al. 2017, mm", "graspmap, mm"};
  figure.equal_axes = true;
  Table table;
  std::vector<std::string> behind;
  double largest_mm = 0.0;
  for (const PushGroup& group : groups(false)) {
    Curve& curve = figure.curves.emplace_back(Curve{group.name, "ps 1.5"});
    std::map<PushSet, std::vector<std::size_t>> sets;
    for (const std::size_t k : group.pushes) sets[data_.pushes[k].set()].push_back(k);
    for (const auto& [set, pushes] : sets) {
      const EndErrors found = errors(pushes, &PushReport::ours);
      const EndErrors others = errors(pushes, &PushReport::published);
      const PushFit& fit = study_.fits.at(set);
      const auto mean = [](const std::vector<double>& values) {
        return values.empty() ? Value() : Value(mean_of(values));
      };
      table.add({{"shape", set.first},
                 {"surface", set.second},
                 {"window", data_.pushes[pushes[0]].window},
                 {"speed_mm_s", data_.pushes[pushes[0]].speed_mm_s},
                 {"pushes", pushes.size()},
                 {"surface_model", name(fit.family.kind())},
                 {"mu_pusher", fit.law_at(0.0).mu_pusher},
                 {"fitted_on", fit.pushes},
                 {"mean_mm", mean_of(found.position_mm)},
                 {"median_mm", sample_quantile(found.position_mm, 0.5)},
                 {"worst_tenth_mm", sample_quantile(found.position_mm, 0.9)},
                 {"mean_deg", mean_of(found.angle_deg)},
                 {"median_deg", sample_quantile(found.angle_deg, 0.5)},
                 {"worst_tenth_deg", sample_quantile(found.angle_deg, 0.9)},
                 {"published_mean_mm", mean(others.position_mm)},
                 {"published_mean_deg", mean(others.angle_deg)},
                 {"uniform_mean_mm", mean_of(errors(pushes, &PushReport::uniform).position_mm)},
                 {"directed_mean_mm", mean_of(errors(pushes, &PushReport::directed).position_mm)}});
      if (others.is_empty()) continue;
      curve.add(mean_of(others.position_mm), mean_of(found.position_mm));
      largest_mm = std::max({largest_mm, curve.x.back(), curve.y.back()});
      if (curve.y.back() > curve.x.back()) {
        behind.push_back(fmt::format("{} ({}): {:.2f} and {:.2f} mm", set.first, group.name,
                                     curve.y.back(), curve.x.back()));
      }
    }
  }
  report_.tables.push_back({"r1_sets.csv", table});
  if (largest_mm == 0.0) return;
  figure.points = true;
  Curve& equal = figure.curves.emplace_back(Curve{.title = "equal", .style = "lw 1 dt 2"});
  equal.line = true;
  equal.x = equal.y = {0.0, largest_mm};
  report_.figures.push_back(curves_figure(figure));
  if (behind.empty()) return;
  std::string text =
      "Further from the measured positions than the published simulation, in the mean:";
  for (const std::string& one : behind) text += "\n" + one;
  report_.remarks.push_back(text);
}

/// All pushes, and of those without a measured end what --predict asks for.
void PushReport::add_ends() {
  Table all;
  Table asked;
  for (std::size_t k = 0; k < data_.pushes.size(); ++k) {
    const RecordedPush& push = data_.pushes[k];
    const SimulatedPush& said = study_.predictions[k].fitted;
    const Object pose{{"push_id", push.id},
                      {"x_mm", said.end.position_mm.x()},
                      {"y_mm", said.end.position_mm.y()},
                      {"theta_rad", said.end.angle_rad}};
    if (!push.end) asked.add(pose);
    Object row = pose;
    row.add({"simulated", said.solved});
    const auto error =
        maybe(push.end, [&](const Pose2& end) { return end_error(said.end, end).position_mm; });
    const auto turn =
        maybe(push.end, [&](const Pose2& end) { return end_error(said.end, end).angle_deg; });
    row.add({"error_mm", error});
    row.add({"error_deg", turn});
    all.add(row);
  }
  report_.tables.push_back({"r1_pushes.csv", all});
  report_.predictions = asked;
}

void PushReport::add_remarks() {
  const auto unsolved =
      std::count_if(study_.predictions.begin(), study_.predictions.end(),
                    [](const PushPrediction& said) { return !said.fitted.solved; });
  report_.remarks.push_back(
      fmt::format("{} of {} pushes could not be simulated, because the pusher begins inside of the "
                  "part by more than its radius: they are said to end where they began.",
                  unsolved, study_.predictions.size()));
  report_.remarks.push_back(
      "Laws are fitted on the split \"train\" alone: the limit surface's shape on its pairs of "
      "wrench and twist, its axes and the friction of the pusher on the ends of its pushes. The "
      "window trim is the middle of the pushes of the window full.");
}

}  // namespace

ExampleReport validate_measured_pushes(const ValidationContext& context) {
  GRASPMAP_CHECK(context.pushes.has_value());
  ExampleReport report{"R1", "measured pushes of eleven plates", kPushPaper};
  const PushData data = read_push_data(*context.pushes);
  context.say(fmt::format("R1: {} pushes, {} sets", data.pushes.size(), data.pairs.size()));
  const PushStudy study = study_pushes(data, {}, [&](const PushSet& set, const PushFit& fit) {
    context.say(fmt::format("R1: {} on {}: {}, pusher's friction {:.2f}, from {} pushes", set.first,
                            set.second, name(fit.family.kind()), fit.law_at(0.0).mu_pusher,
                            fit.pushes));
  });
  PushReport pushes(data, study, report);
  pushes.add_groups();
  pushes.add_directions();
  pushes.add_covers([&](const std::string& line) { context.say("R1: " + line); });
  pushes.add_sets();
  pushes.add_ends();
  pushes.add_remarks();
  return report;
}

}  // namespace graspmap
