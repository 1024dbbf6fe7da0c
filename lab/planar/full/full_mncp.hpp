#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lab/mcp/problem.hpp"
#include "lab/mcp/semismooth_newton.hpp"
#include "lab/planar/full/full_mncp_contact.hpp"
#include "lab/planar/stepper.hpp"

namespace graspmap {

/// The full mixed nonlinear complementarity problem of a step, Chakraborty et al. 2014, eq.
/// (21)-(22) with the contacts of (28)-(32) and the layers of (33)-(40). Unknowns: nu^(l+1), the
/// pins' impulses, per table (p_t, p_o, p_r, sigma), per contact what FullContact::Layout lists;
/// q^(l+1) = q^l + h nu^(l+1) is substituted. An unknown's row stands at its own index.
///
/// Friction: eq. (7) for s = p_t / (mu p_n) in place of p_t, with its rows divided by mu p_n and
/// (mu p_n)^2: v_t + s sigma = 0 and 0 <= sigma orthogonal to 1 - s^2 >= 0 (e_t = 1). The same
/// solutions for p_n > 0; at p_n = 0, where (7) leaves sigma undetermined, sigma = |v_t|.
///
/// Scaled (see StepScales, with V the velocity and L the length): points, gaps and l_k1 by
/// max(h V, 1e-4 L), the other multipliers and normals by that over L (an angle), velocities by V
/// (angular ones by V / L), momentum rows by the row's inertia times that.
class FullMncp : public mcp::Problem {
 public:
  /// Sets the step; the scene must outlive the problem. Keeps `contacts`.
  void begin(const PlanarScene& scene, const PlanarState& start, double h);

  std::vector<FullContact> contacts;

  /// Gives unknowns to everything; to be called when `contacts` have changed.
  void lay_out();

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] mcp::Kind kind(int i) const override { return kinds_[static_cast<std::size_t>(i)]; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override;
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override;

  /// Units of the unknowns: x = unit z.
  [[nodiscard]] const Eigen::VectorXd& units() const { return unit_z_; }
  /// The first unknown of a pin, and of a table of those that resist; how many these are.
  [[nodiscard]] int pin_at(int pin) const { return velocities_ + 2 * pin; }
  [[nodiscard]] int table_at(int table) const { return first_table_ + 4 * table; }
  [[nodiscard]] int tables() const { return static_cast<int>(rubbing_.size()); }

  /// The index in the scene of a table of those that resist.
  [[nodiscard]] int scene_table(int table) const {
    return rubbing_[static_cast<std::size_t>(table)];
  }

  /// What the last evaluation found: the state at the end of the step, the bodies there, contacts.
  [[nodiscard]] const PlanarState& end() const { return end_; }
  [[nodiscard]] const std::vector<BodyMotion>& bodies() const { return bodies_; }
  [[nodiscard]] const ContactEvaluation& at(std::size_t contact) const { return at_[contact]; }

  /// Table `i` of those that resist: its impulse on its body, and its slip u = E nu.
  [[nodiscard]] Vec3 table_impulse(int i, const Eigen::VectorXd& x) const;
  [[nodiscard]] Vec3 table_slip(int i) const;

  /// The impulse of a table of the scene.
  [[nodiscard]] Vec3 impulse_of_table(int scene_table, const Eigen::VectorXd& x) const;

  /// Scales of the step, the unit of points and gaps, the step in s.
  [[nodiscard]] const StepScales& scales() const { return scales_; }
  [[nodiscard]] double unit_length_mm() const { return unit_length_mm_; }
  [[nodiscard]] double h() const { return h_; }

  /// nu without contacts, pins and tables: the velocities of the predicted pose.
  [[nodiscard]] const Eigen::VectorXd& free_velocity() const { return free_velocity_; }

  /// Bodies' motion for given generalised velocities.
  void move(const Eigen::VectorXd& nu);

 private:
  class Sink;

  void set_units();
  void set_contact_units(const FullContact& contact);
  void set_unit(int i, double unknown, double row, mcp::Kind kind);
  void pin_rows(const Eigen::VectorXd& x, Eigen::VectorXd& F) const;
  void pin_jacobian(Eigen::MatrixXd& J) const;
  void table_rows(const Eigen::VectorXd& x, Eigen::VectorXd& F) const;
  void table_jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& J) const;
  void subtract_wrench(int body, const Vec3& wrench, Eigen::VectorXd& F) const;
  [[nodiscard]] const TableFriction& table(int i) const {
    const int index = rubbing_[static_cast<std::size_t>(i)];
    return scene_->tables[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const PlanarBody& body(int i) const {
    return scene_->bodies[static_cast<std::size_t>(i)];
  }

  const PlanarScene* scene_ = nullptr;
  PlanarState start_;
  double h_ = 0.0;
  StepScales scales_;
  double unit_length_mm_ = 1.0;
  int velocities_ = 0;
  int first_table_ = 0;
  int size_ = 0;
  Eigen::VectorXd inertia_;       ///< M + h C
  Eigen::VectorXd free_impulse_;  ///< M nu^l + h F
  Eigen::VectorXd free_velocity_;
  Eigen::VectorXd velocity_unit_;
  std::vector<int> rubbing_;  ///< indices of the tables that resist
  std::vector<mcp::Kind> kinds_;
  Eigen::VectorXd unit_z_;
  Eigen::VectorXd unit_row_;
  Eigen::VectorXd x_;
  PlanarState end_;
  std::vector<BodyMotion> bodies_;
  std::vector<ContactEvaluation> at_;
};

/// The mode of a contact.
enum class FullContactMode : std::uint8_t { kOpen, kSticks, kSlidesBackward, kSlidesForward };

struct FullNewtonOptions {
  double tolerance = 1e-10;  ///< largest natural residual of a solution (scaled)
  int max_iterations = 30;
  double singular = 1e-10;  ///< pivots below this, relative to the largest, count as zero: the step
                            ///< is the shortest least-squares one then
  std::vector<FullContactMode> modes;  ///< by contact, to be kept; empty: as the branches say
  std::function<bool()> is_stopped =
      {};  ///< asked in each iteration; true ends with kIterationLimit

  [[nodiscard]] bool stops() const { return is_stopped && is_stopped(); }
};

/// Newton's method on the natural map of the full problem with full steps: each iteration takes, of
/// every complementarity, the branch that is smaller (the pattern of open, sticking and sliding
/// contacts, of edges and vertices), and solves the linearised equations of the pattern. Momentum
/// is linear in p_t, so it is p_t that moves by the step and s = p_t / (mu p_n) that follows; a
/// contact that starts to slide goes to the edge of its cone at once. No line search: a change of
/// the pattern may raise the residual on its way. Ends in a few iterations where a method that
/// descends would creep, and may cycle: kIterationLimit then.
mcp::Result solve_full_newton(FullMncp& problem, const FullNewtonOptions& options,
                              Eigen::VectorXd& z, mcp::SemismoothNewtonWorkspace& work);

}  // namespace graspmap
