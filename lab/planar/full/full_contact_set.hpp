#pragma once

#include <map>
#include <utility>
#include <vector>

#include "lab/planar/contact.hpp"
#include "lab/planar/full/full_mncp.hpp"

namespace graspmap {

/// Two convex pieces of two bodies that may touch in a step, with the features that are near.
struct PiecePair {
  int body_a = 0;
  int shape_a = 0;
  int body_b = 0;
  int shape_b = 0;
  std::vector<ContactFeature> features;

  /// The contact of one of the features.
  [[nodiscard]] ContactKey key(const ContactFeature& feature) const {
    return {body_a, shape_a, body_b, shape_b, feature};
  }
  /// True when a contact is between the pair's two shapes.
  [[nodiscard]] bool is_of(const ContactKey& key) const {
    return body_a == key.body_a && shape_a == key.shape_a && body_b == key.body_b &&
           shape_b == key.shape_b;
  }
};

/// Adds contacts to the pairs that they belong to. Returns true when there was no such pair or
/// feature yet.
bool add_to_pairs(const ContactKey& contact, std::vector<PiecePair>& pairs);

/// The functions of pieces, by body and shape, made at their first use.
class PieceLibrary {
 public:
  /// Forgets the pieces of another scene; `scene` must outlive the library.
  void begin(const PlanarScene& scene);
  /// The functions of a body's shape.
  const std::vector<PieceFunction>& functions(int body, int shape);

 private:
  const PlanarScene* scene_ = nullptr;
  std::map<std::pair<int, int>, std::vector<PieceFunction>> functions_;
};

/// The closest points of a pair in a state: its feature with the smallest gap, and halfway between
/// those that are as close (edges along each other).
struct PairClosest {
  ContactFeature feature;
  ShapeContact at;
};

/// Features count as equally close when their gaps differ by at most `same_gap_mm`.
PairClosest closest_of_pair(const PlanarScene& scene, const PlanarState& state,
                            const PiecePair& pair, double same_gap_mm);

/// The contact of a pair for the full problem, without functions. F is the piece with a single
/// function if there is one (of two the superellipse), G carries the layer.
FullContact full_contact(const PlanarScene& scene, const PlanarState& start, const PiecePair& pair,
                         PieceLibrary& library);

/// Chooses the functions that enter the step (those closest to active at the closest points) and
/// k1: the function with the largest f_i(a2) / |grad f_i|. `problem` must have been moved to the
/// pose.
void choose_functions(const PairClosest& closest, const FullMncp& problem, FullContact& contact);

/// k1 candidates of a contact, best first.
std::vector<std::size_t> ranked_k1(const PairClosest& closest, const FullMncp& problem,
                                   const FullContact& contact);

/// The start of a contact's unknowns x (unscaled) at the closest points: multipliers from the
/// normals, impulses zero, s against the slip, sigma = |v_t|.
void guess_contact(const PairClosest& closest, const FullMncp& problem, const FullContact& contact,
                   Eigen::VectorXd& x);

/// A guess of a step's solution.
struct StepGuess {
  Eigen::VectorXd nu;
  struct Impulses {
    double p_n = 0.0;
    double p_nr = 0.0;
    std::array<double, 2> p_core{};
    double s = 0.0;      ///< p_t / (mu p_n)
    Vec2 on_a_mm{0, 0};  ///< where they act, if several features share p_n
    Vec2 on_b_mm{0, 0};
    bool has_point = false;
  };
  std::vector<Impulses> pairs;  ///< by pair
  std::vector<Vec2> pins;       ///< mN s
  std::vector<Vec3> tables;     ///< s, by table of the scene
};

/// Guesses impulses by sweeps of projected Gauss-Seidel over the near features, each a point
/// contact with its rows at the pose of the last guess: nu = nu_free + M^-1 W p,
/// 0 <= p_n orthogonal to psi + h W_n (nu - nu_0) >= 0, |p_t| <= mu p_n. Not a solution, but mostly
/// with the right contacts open, sticking and sliding. Pins are left out.
void guess_step(const PlanarScene& scene, const PlanarState& start, double h,
                const std::vector<PiecePair>& pairs, const Eigen::VectorXd& free_velocity,
                StepGuess& guess);

}  // namespace graspmap
