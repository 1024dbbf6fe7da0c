#include "grasp/sweep/results/map_reasons.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace graspmap {
namespace {

/// Trials that end with the part between the jaws, the first ones of each cell that are not known,
/// until so many of the cell are.
std::vector<std::int64_t> first_of_cells(
    const RunStore& store, const std::vector<std::pair<std::int64_t, TrialVerdict>>& known,
    std::int64_t most_in_cell) {
  std::vector<std::int64_t> trials;
  std::map<std::int64_t, std::int64_t> taken;
  std::set<std::int64_t> is_known;
  const std::int64_t cells = store.config().placement.cell_count();
  for (const auto& [trial, verdict] : known) {
    ++taken[trial % cells];
    is_known.insert(trial);
  }
  store.for_each([&](const TrialRow& row) {
    if (!is_held_without_success(row.outcome) || is_known.contains(row.index)) return;
    if (taken[row.index % cells] >= most_in_cell) return;
    ++taken[row.index % cells];
    trials.push_back(row.index);
  });
  return trials;
}

/// The reasons while they are counted: trials by reason and cell, as estimated.
class ReasonCounts {
 public:
  explicit ReasonCounts(const SuccessMap& map) : map_(map), looked_at_(map.cells.size(), 0) {}

  void add_outcome(Outcome outcome, const char* words) {
    for (std::size_t cell = 0; cell < map_.cells.size(); ++cell) {
      if (const auto trials = map_.cells[cell].count(outcome); trials > 0) {
        of(words)[cell] += static_cast<double>(trials);
      }
    }
  }

  /// Trials that were simulated again stand for all of their cell that end so.
  void add_conditions(const std::vector<std::int64_t>& trials,
                      const std::vector<TrialVerdict>& verdicts) {
    const auto cell_of = [&](std::size_t k) {
      return static_cast<std::size_t>(trials[k]) % map_.cells.size();
    };
    for (std::size_t k = 0; k < trials.size(); ++k) ++looked_at_[cell_of(k)];
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const CellCounts& cell = map_.cells[cell_of(k)];
      const auto held = cell.count(Outcome::kWedged) + cell.count(Outcome::kTimeout);
      const double weight = static_cast<double>(held) / static_cast<double>(looked_at_[cell_of(k)]);
      for (const UnmetCondition& unmet : verdicts[k].unmet) {
        of(condition_text({unmet.key, unmet.wanted}))[cell_of(k)] += weight;
      }
    }
  }

  [[nodiscard]] MapReasons shares() const {
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [words, counts] : trials_) {
      order.emplace_back(-std::accumulate(counts.begin(), counts.end(), 0.0), words);
    }
    std::sort(order.begin(), order.end());
    MapReasons found;
    found.looked_at = looked_at_;
    found.shares.resize(map_.cells.size());
    const double all = static_cast<double>(without_success(map_.total()));
    for (const auto& [total, words] : order) {
      found.reasons.push_back(words);
      found.share.push_back(-total / all);
    }
    for (std::size_t cell = 0; cell < map_.cells.size(); ++cell) {
      const auto failures = without_success(map_.cells[cell]);
      if (failures == 0) continue;
      for (const std::string& words : found.reasons) {
        found.shares[cell].push_back(trials_.at(words)[cell] / static_cast<double>(failures));
      }
    }
    return found;
  }

 private:
  static std::int64_t without_success(const CellCounts& cell) {
    return cell.valid_trials() - cell.count(Outcome::kSuccess);
  }

  std::vector<double>& of(const std::string& words) {
    return trials_.try_emplace(words, map_.cells.size(), 0.0).first->second;
  }

  const SuccessMap& map_;
  std::map<std::string, std::vector<double>> trials_;
  std::vector<std::int64_t> looked_at_;
};

}  // namespace

std::optional<std::size_t> MapReasons::main_reason(std::size_t cell) const {
  if (shares[cell].empty()) return std::nullopt;
  const auto main = std::max_element(shares[cell].begin(), shares[cell].end());
  return static_cast<std::size_t>(main - shares[cell].begin());
}

std::optional<MapReasons> map_reasons(const RunStore& store, const SuccessMap& map,
                                      const std::optional<UnmetSummary>& unmet, std::int64_t most) {
  if (!unmet) return std::nullopt;
  constexpr std::int64_t kMostInCell = 5;
  const std::int64_t cells = store.config().placement.cell_count();
  std::vector<std::int64_t> trials =
      first_of_cells(store, unmet->seen, std::clamp<std::int64_t>(most / cells, 1, kMostInCell));
  std::vector<TrialVerdict> told = verdicts(store.config(), trials);
  for (const auto& [trial, verdict] : unmet->seen) {
    trials.push_back(trial);
    told.push_back(verdict);
  }
  ReasonCounts counts(map);
  counts.add_outcome(Outcome::kMissed, "missed: a jaw touches nothing");
  counts.add_outcome(Outcome::kBlocked,
                     store.config().scenario.obstacles.empty()
                         ? "blocked: the fingers start in the part"
                         : "blocked: by an obstacle, or the fingers start in the part");
  counts.add_conditions(trials, told);
  return counts.shares();
}

MapReasons slice_of(const MapReasons& reasons, const CellGrid& grid, int slice) {
  MapReasons one = reasons;
  const auto first = static_cast<std::ptrdiff_t>(grid.index(0, 0, slice));
  const auto end = static_cast<std::ptrdiff_t>(grid.index(0, 0, slice + 1));
  one.shares.assign(reasons.shares.begin() + first, reasons.shares.begin() + end);
  one.looked_at.assign(reasons.looked_at.begin() + first, reasons.looked_at.begin() + end);
  return one;
}

std::optional<Figure> reasons_figure(const FigureInput& input, const MapReasons& reasons) {
  constexpr std::size_t kMostNamed = 6;
  // Numbers of classes: 0 stands for cells without a reason, then those that are main reasons.
  std::vector<std::size_t> named;
  for (std::size_t cell = 0; cell < reasons.shares.size(); ++cell) {
    const auto main = reasons.main_reason(cell);
    if (main && std::find(named.begin(), named.end(), *main) == named.end()) named.push_back(*main);
  }
  if (named.empty()) return std::nullopt;
  std::sort(named.begin(), named.end());
  HeatPanelsInput figure;
  figure.name = "reasons";
  figure.title = input.title;
  figure.subtitle = "why grasps are no success: the most frequent reason of each cell";
  figure.colours.scale = HeatScale::kClasses;
  figure.colours.classes = {"every grasp succeeded"};
  for (std::size_t k = 0; k < std::min(named.size(), kMostNamed); ++k) {
    figure.colours.classes.push_back(reasons.reasons[named[k]]);
  }
  if (named.size() > kMostNamed) figure.colours.classes.emplace_back("other reasons");
  const double most = static_cast<double>(figure.colours.classes.size()) - 1;
  figure.panels.push_back(slice_panel(input.map, 0, "", [&](std::size_t cell) {
    if (input.map.cells[cell].valid_trials() == 0) return std::nan("");
    const auto main = reasons.main_reason(cell);
    if (!main) return 0.0;
    const auto at = std::find(named.begin(), named.end(), *main) - named.begin();
    return std::min(1.0 + static_cast<double>(at), most);
  }));
  figure.panels[0].marks = sweet_spot_marks(input.sweet_spot);
  figure.nan_label = "no counted trials";
  draw_one_grasp(input, figure.panels);
  return heat_panels_figure(figure);
}

Object reasons_fields(const MapReasons& reasons) {
  const auto rounded = [](const std::vector<double>& shares) {
    std::vector<double> numbers;
    for (const double share : shares) numbers.push_back(std::round(share * 1e3) / 1e3);
    return Value(numbers);
  };
  return {{"reasons", reasons.reasons, "the most frequent first"},
          {"share", reasons.share, "of all trials without success"},
          {"cells", list_of(reasons.shares, rounded), "the same of each cell"},
          {"looked_at", list_of(reasons.looked_at, [](std::int64_t n) { return Value(n); }),
           "trials of each cell that were simulated again"}};
}

}  // namespace graspmap
