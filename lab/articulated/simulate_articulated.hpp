#pragma once

#include <array>
#include <optional>
#include <vector>

#include "lab/articulated/forward_dynamics.hpp"
#include "lab/articulated/link_kinematics.hpp"
#include "lab/articulated/system.hpp"
#include "lab/contact_space/contact_space.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {

/// How time is stepped, Mylapilli and Jain 2017, section 2.7.
enum class ArticulatedIntegrator : std::uint8_t {
  kSemiImplicitEuler,  ///< eq. (25)-(26)
  kMoreauMidpoint,     ///< eq. (27)-(29)
  kImplicitEuler,      ///< eq. (25)-(26) with all quantities at the end of the step
  kImplicitMoreau      ///< eq. (28)-(29) with all of them at the mean of start and end
};
const char* name(ArticulatedIntegrator integrator);

/// Whether a step is solved again and again until the state at which its quantities are taken is
/// the one that it leads to (section 2.7.2, "iteratively solved").
bool is_implicit(ArticulatedIntegrator integrator);

struct ArticulatedSettings {
  ContactSolverSettings contact;
  ArticulatedIntegrator integrator = ArticulatedIntegrator::kSemiImplicitEuler;
  /// For implicit integrators: the largest change of nu in the last iteration, as a share of the
  /// largest |nu|, and how many iterations a step may take.
  double implicit_tolerance = 1e-10;
  int implicit_iterations = 50;
  /// The first friction direction, measured from the slip -v_t at the start of a step (MLCP only).
  double direction_offset_rad = 0.0;
  /// The directions are fixed in space, at `direction_offset_rad` from the contact's t, and not
  /// turned with the slip.
  bool fixed_directions = false;
  /// Newton's restitution with friction can add energy where bodies are linked (Kane's paradox).
  /// The restitution of a step whose contact impulses would do work > 0 is lowered, for all its
  /// contacts alike and by the least number of 1024ths, until they do not; without restitution they
  /// cannot.
  bool limit_restitution = true;
};

/// Runs a system from its start, see `run_steps`. Bodies of the snapshots: the links (at the ball's
/// centre, or the centre of mass of a link without one, with the link's axes), then the obstacles.
/// The contacts' body indices follow the same order.
SceneRun simulate_articulated(const ArticulatedSystem& system, const ArticulatedSettings& settings,
                              const SceneRunSettings& run, const SnapshotObserver& observer);

/// The result of one step. Without a solution `end` means nothing.
struct ArticulatedStep {
  mcp::Status status = mcp::Status::kIterationLimit;
  ArticulatedState end;  ///< with the contacts that took part
  double residual = 0.0;
  int iterations = 0;
  int unknowns = 0;
  double contact_work_j = 0.0;              ///< of the contact impulses, closures' not counted
  std::optional<std::array<int, 2>> worst;  ///< bodies of the worst contact of an unsolved step

  [[nodiscard]] double worst_overlap_mm() const;
  [[nodiscard]] std::optional<std::array<int, 2>> worst_bodies() const { return worst; }
};

/// Steps an articulated system, Mylapilli and Jain 2017, section 2.7. Contacts that touch or
/// overlap at the start of a step are in its problem; where others overlap at its end, the step is
/// repeated from its start with those too. Normal rows of contacts that close require u_n^+ +
/// e u_n^- >= 0 (Newton's restitution). There is no correction of positions; closures require
/// u = -gap/h, so that their gaps stay of order h^2. Implicit integrators repeat the whole step
/// with the quantities of the state that it led to, until that no longer changes (fixed-point
/// iteration; `kIterationLimit` where it does not converge, for which a smaller step helps). The
/// object is a workspace: its arguments alone determine a step.
class ArticulatedStepper {
 public:
  /// Both are kept by reference.
  ArticulatedStepper(const ArticulatedSystem& system, const ArticulatedSettings& settings);

  /// One step of h > 0 seconds. Besides those of the contact solver: `kNotFinite` where a joint
  /// moves without inertia, or a velocity is not finite.
  void step(const ArticulatedState& start, double h, ArticulatedStep& result);

 private:
  /// A pair's velocities u: at the start of the step, and at its end without impulses.
  struct PairSpeeds {
    Vec3 before, free;
  };

  [[nodiscard]] bool prepare(const ArticulatedState& start, double h);
  [[nodiscard]] bool prepare_at(const Eigen::VectorXd& nu, const ArticulatedState& start);
  void solve_step(const ArticulatedState& start, double h, ArticulatedStep& result);
  void iterate(const ArticulatedState& start, double h, ArticulatedStep& result);
  void prepare_implicit(const ArticulatedState& start, double h, ArticulatedStep& result);
  [[nodiscard]] double coasting_share() const;
  void find_touching(const Eigen::VectorXd& q);
  [[nodiscard]] bool find_overlapping(const Eigen::VectorXd& q);
  void fill_pairs();
  void fill_contact_space(double h);
  template <typename Acceleration>
  [[nodiscard]] PairSpeeds speeds_of(std::size_t pair, double h, const Acceleration& acceleration);
  void fill_contact_row(std::size_t contact, double h);
  void solve(const ArticulatedState& start, double h, ArticulatedStep& result);
  void solve_with_restitution(ArticulatedStep& result);
  void solve_contacts(double share, ArticulatedStep& result);
  void fill_unloaded(const Eigen::VectorXd& nu);
  [[nodiscard]] double contact_work() const;
  [[nodiscard]] bool adds_energy() const;
  void apply_impulses(ArticulatedStep& result);
  void fill_contacts(ArticulatedStep& result);
  [[nodiscard]] std::optional<std::array<int, 2>> worst_contact() const;

  const ArticulatedSystem& system_;
  const ArticulatedSettings& settings_;
  CoordinateLayout layout_;
  std::vector<BallPair> ball_pairs_;
  std::vector<std::uint8_t> takes_part_;  // by ball pair: it is in the step's problem
  std::vector<Vec3> closure_gaps_;        // at the start of the step

  // Where forces are evaluated: the start, the middle or the end of the step.
  std::vector<LinkKinematics> links_;
  std::vector<LinkKinematics> started_;  // at the same place, moving as at the start of the step
  std::vector<ArticulatedInertia> inertias_;
  FreeAcceleration free_;
  OperationalSpace operational_space_;
  std::vector<int> contacts_;         // ball pairs that enter the step
  std::vector<NodePair> pairs_;       // closures, then contacts
  ContactSpace space_;                // u_free without restitution
  std::vector<double> unrestituted_;  // by contact: the normal row of u_free with e = 0
  std::vector<double> rebound_;       // by contact: e u_n^-, 0 where it does not close
  Eigen::VectorXd unloaded_;          // u of the contacts without impulses, at the step's J
  std::vector<LinkKinematics> moved_;
  ContactSpaceSolution solution_;
  std::vector<Twist> impulses_;
  Eigen::VectorXd change_;

  std::vector<LinkKinematics> placed_;  // at the start, then at the end of the step
  Eigen::VectorXd q_mid_;
  Eigen::VectorXd nu_mean_;
  Eigen::VectorXd nu_last_;  // implicit step: nu at its end, from the iteration before
  Eigen::VectorXd nu_at_;    // the same, where forces are evaluated
};

}  // namespace graspmap
