#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grasp/decide/design/design_score.hpp"
#include "grasp/decide/design/design_space.hpp"

namespace graspmap {

/// A part's configuration as text: what makes a design of it are overrides.
struct DesignedPart {
  std::string name;
  std::string text;
  std::string source;  ///< as read_sweep_config has it
  double weight = 1.0;
};

/// How much a search does.
struct DesignEffort {
  int designs = 128;                ///< at first
  int generations = 4;              ///< of designs near the best ones
  std::int64_t most_trials = 1024;  ///< of a design in the race, a power of two
  std::int64_t trials = 4000;       ///< fresh ones of the answer
  std::uint64_t seed = 1;
  double confidence = 0.95;
  int threads = 0;
};

struct DesignQuestion : DesignEffort {
  std::string name;
  std::vector<DesignedPart> parts;
  DesignRule rule;
  std::optional<RobotError> error;
};

/// A part grasped by a design: where, how exactly that is known, and the grasps by their kind.
struct CandidatePart {
  std::unique_ptr<DesignedGrasp> grasp;
  PlacementVector aim{};
  PlacementVector aim_sigma{};  ///< of the error under which it was judged
  std::map<GraspAt, std::vector<GraspEnd>> ends = {};
};

/// A design that is tried.
struct Candidate {
  Design design;
  std::string id;
  std::vector<CandidatePart> parts;
  std::int64_t grasps = 0;  ///< of each objective's kind, up to now
};
using Candidates = std::vector<Candidate*>;

/// By how much a value may be lower to count as no loss, of success; of others this share.
inline constexpr double kDesignLoss = 0.01;

/// Designs against each other: built, placed, tried in the same grasps, compared.
class DesignRace {
 public:
  static constexpr std::int64_t kFirstRound = 64;  ///< grasps of each design
  static constexpr std::int64_t kNearGrasps = 64;  ///< to improve a placement

  /// All must live as long.
  DesignRace(const DesignQuestion& question, const DesignSpace& space, KeptGrasps& kept);

  [[nodiscard]] const DesignQuestion& question() const { return question_; }
  [[nodiscard]] const DesignSpace& space() const { return space_; }
  [[nodiscard]] const std::vector<DesignObjective>& objectives() const { return objectives_; }
  [[nodiscard]] bool is_front() const { return objectives_.size() > 1; }
  /// Whether any objective is judged at a placement, and whether it is looked for.
  [[nodiscard]] bool is_at_aims() const { return kinds_.size() > kinds_.count(GraspAt::kCells); }
  [[nodiscard]] bool has_aims() const { return question_.rule.placement.empty() && is_at_aims(); }
  /// The kinds of grasps that estimate the objectives.
  [[nodiscard]] const std::set<GraspAt>& kinds() const { return kinds_; }
  [[nodiscard]] ObjectiveQuestion objective(std::size_t k, const DesignedGrasp& grasp) const;

  /// A design, or what `overrides` make of the configurations. Throws ConfigError.
  [[nodiscard]] Candidate built(const Design& design,
                                const std::vector<std::string>& overrides) const;

  /// Gives candidates a placement, by grasps all over the map and then near the best; a better one
  /// near theirs.
  void find_aims(const Candidates& candidates);
  void refine_aims(const Candidates& candidates, std::int64_t grasps);
  /// Tries each candidate at the placements of all, in so many grasps, and gives it the best. One
  /// with another placement than before begins again.
  void share_aims(const Candidates& candidates, std::int64_t grasps);
  /// Tries candidates until each has so many grasps.
  void extend(const Candidates& candidates, std::int64_t grasps);
  /// Jobs of any kind of grasps.
  void run(std::span<GraspJob> jobs) { kept_.run(jobs, question_.threads); }

  /// The score of an objective in a candidate's first grasps; and with it those without each block
  /// of them.
  [[nodiscard]] double score(const Candidate& candidate, std::size_t objective,
                             std::int64_t grasps) const;
  [[nodiscard]] std::vector<double> scores(const Candidate& candidate, std::size_t objective,
                                           std::int64_t grasps) const;
  /// The scores of parts as one: their weighted mean, or the worst.
  [[nodiscard]] std::vector<double> combined(const std::vector<std::vector<double>>& parts) const;
  /// The least that a standard error is taken for: blocks that all agree know no better.
  [[nodiscard]] double least_error(std::size_t objective, double value, std::int64_t grasps) const;
  /// What the first objective may lose and count as no worse.
  [[nodiscard]] double no_loss(double value) const;
  /// Whether a design is no better than another in any objective, and clearly worse in one.
  [[nodiscard]] bool is_clearly_worse(const Candidate& a, const Candidate& b,
                                      std::int64_t grasps) const;
  /// By the score; with two objectives by how many designs are as good in both and better in one,
  /// then by the first.
  void sort_best_first(Candidates& candidates, std::int64_t grasps) const;
  /// The at most `most` candidates that are left when all have raced, the best first.
  Candidates race(Candidates live, std::size_t most);

 private:
  template <typename Score>
  [[nodiscard]] std::vector<double> told_by(const Candidate& candidate, std::size_t objective,
                                            std::int64_t grasps, const Score& score) const;
  /// Whether the open gripper has the clearance that is asked for, where it is on average.
  [[nodiscard]] bool is_clear(const DesignedGrasp& grasp, const PlacementVector& at) const;
  void place(const Candidates& candidates, GraspAt at, std::int64_t grasps, double spread,
             double share);

  const DesignQuestion& question_;
  const DesignSpace& space_;
  KeptGrasps& kept_;
  std::vector<DesignObjective> objectives_;
  std::set<GraspAt> kinds_;
  std::shared_ptr<const ErrorMixture> error_;
};

}  // namespace graspmap
