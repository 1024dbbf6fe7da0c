#pragma once

#include <set>
#include <vector>

#include "lab/planar/full/full_contact_set.hpp"
#include "lab/planar/full/full_mncp.hpp"

namespace graspmap {

/// The active-set method around the full problem of Chakraborty et al. 2014, section 7:
/// Newton's method with some of the functions of each piece and one k1 a contact, then a check of
/// what was left out.
///
/// - A function that was left out and is positive at the piece's own closest point is added.
/// - Non-penetration (32) is required of f_k1 alone, 0 <= p_n orthogonal to f_k1(a2) >= 0, which
/// with
///   (28) and (30) puts a1 on f_k1. With an impulse, every other f_i(a2) must not be positive: k1
///   is refuted otherwise, and the largest f_i(a2) names its successor. Both together are (32).
/// - Without a solution, k1 is changed to the next candidate in the order of f_i(a2) / |grad f_i|
///   at the pose that the try started from, one contact after the other.
///
/// Choices that have been tried are remembered and none is tried twice: it ends.
class FullActiveSet {
 public:
  /// Newton's options; `modes` must be empty.
  FullNewtonOptions newton;

  /// No further tries once there have been so many iterations since the last `reset`.
  int most_iterations = 1000;

  /// Forgets the pieces of another scene and the count of iterations.
  void reset(const PlanarScene& scene);

  /// Sets the step. `scene`, `start` and `pairs` must outlive it.
  void begin(const PlanarScene& scene, const PlanarState& start, double h,
             const std::vector<PiecePair>& pairs);

  /// Starts without impulses from the velocities nu, with the closest points of the pose that the
  /// velocities `pose_nu` lead to.
  void start_at(const Eigen::VectorXd& pose_nu, const Eigen::VectorXd& nu);

  /// Starts from a guess.
  void start_at(const StepGuess& guess);

  /// Starts with another k1 for a contact: an index into its F.chosen.
  void choose_k1(std::size_t contact, std::size_t k1);

  /// Solves from the start. False when no choice that was tried has a solution.
  bool solve();

  /// The general methods that descend, without changes of functions and k1: semismooth Newton on
  /// the natural map, on the Fischer-Burmeister function, Levenberg-Marquardt.
  bool solve_by_descent();

  /// Newton's method alone, with the present choice, from the scaled unknowns z.
  bool solve_once(const FullNewtonOptions& options, const std::vector<FullContact>& contacts,
                  const Eigen::VectorXd& z);

  /// Takes unknowns without solving.
  void take(const std::vector<FullContact>& contacts, const Eigen::VectorXd& z);

  /// True when a function that was left out, or k1, is refuted by the solution.
  [[nodiscard]] bool is_refuted() const;

  /// The solution as a guess for another step.
  [[nodiscard]] StepGuess remember() const;

  [[nodiscard]] FullMncp& problem() { return problem_; }
  [[nodiscard]] const FullMncp& problem() const { return problem_; }
  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }  ///< unknowns, unscaled
  [[nodiscard]] const Eigen::VectorXd& z() const { return z_; }  ///< scaled
  [[nodiscard]] const mcp::Result& result() const { return result_; }
  [[nodiscard]] int iterations() const { return iterations_; }                   ///< since `reset`
  [[nodiscard]] int choices() const { return static_cast<int>(tried_.size()); }  ///< of `solve`

  /// The contact with the row of the largest residual, -1: another row.
  [[nodiscard]] int worst_contact();

  /// The iterate with the smallest residual since `forget_best`.
  struct Best {
    double residual = 0.0;
    std::vector<FullContact> contacts;  ///< empty: none yet
    Eigen::VectorXd z;
  };
  [[nodiscard]] const Best& best() const { return best_; }
  void forget_best();  ///< from here on `best` is that of later iterates
  void restore_best(const Best& best) { best_ = best; }

 private:
  void choose_contacts(const StepGuess* memory);
  void guess(const Eigen::VectorXd& nu);
  void guess_tables();
  void recall(const StepGuess& memory);
  void recall_contact(const FullContact& contact, const StepGuess::Impulses& impulses);
  void remember_best();
  bool end_descent();
  [[nodiscard]] std::vector<int> choice() const;
  [[nodiscard]] std::vector<int> violated(const ContactSide& side, const Vec2& x,
                                          double offset_mm) const;
  bool add_violated(ContactSide& side, const Vec2& x, double offset_mm) const;
  bool add_violated_functions();
  bool change_refuted_k1();
  [[nodiscard]] bool is_k1_refuted(std::size_t i) const;
  [[nodiscard]] std::size_t largest_at_a2(std::size_t i) const;
  bool change_any_k1();
  void rebuild(const StepGuess& memory);
  void find_closest(const Eigen::VectorXd& nu);

  const PlanarScene* scene_ = nullptr;
  const PlanarState* start_ = nullptr;
  const std::vector<PiecePair>* pairs_ = nullptr;
  double h_ = 0.0;
  int iterations_ = 0;
  PieceLibrary library_;
  FullMncp problem_;
  std::vector<PairClosest> closest_;
  std::set<std::vector<int>> tried_;
  StepGuess tried_from_;
  Eigen::VectorXd x_;
  Eigen::VectorXd z_;
  mcp::Result result_;
  mcp::SemismoothNewtonWorkspace work_;
  Best best_;
};

}  // namespace graspmap
