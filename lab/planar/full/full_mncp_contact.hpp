#pragma once

#include <vector>

#include "lab/planar/convex_shape.hpp"
#include "lab/planar/scene.hpp"

namespace graspmap {

/// A convex function of a piece in its body's frame, times a constant that makes it a length with
/// |grad f| of order one on the boundary: Chakraborty et al. 2014 ask for its sign only.
struct PieceFunction {
  ConvexFunction function;
  double scale = 1.0;
};

/// X_GB with the rotation computed once.
struct BodyFrame {
  Vec2 origin_mm{0, 0};
  Rotation2 R;
};

/// A function with its derivatives in G's axes at a point.
struct FunctionJet {
  double value_mm = 0.0;
  Vec2 gradient{0, 0};
  Mat2 hessian = Mat2::Zero();  ///< 1/mm
};

/// f(x), x in G, of a function that moves with the frame.
double value_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm);

/// The same with gradient and Hessian.
FunctionJet jet_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm);

/// The functions of a piece, Chakraborty et al. 2014, eq. (23): one for a superellipse, one an edge
/// or one a rounded corner.
std::vector<PieceFunction> piece_functions(const PlacedShape& placed);

/// One of the two convex pieces of a contact, with those of its functions that enter the step.
struct ContactSide {
  int body = 0;
  int shape = 0;
  const std::vector<PieceFunction>* functions = nullptr;  ///< all of the piece
  std::vector<int> chosen;                                ///< indices into `functions`, ascending

  /// The i-th chosen function.
  [[nodiscard]] const PieceFunction& function(std::size_t i) const {
    return (*functions)[static_cast<std::size_t>(chosen[i])];
  }
};

/// A contact of two convex pieces F = { f_i <= 0 } and G = { g_j <= 0 } in the full problem. G
/// carries the compliant layers of a soft contact: it is the one that is sunk by their deflections.
struct FullContact {
  ContactSide F;
  ContactSide G;
  bool F_is_a = true;  ///< body F is the contact's body A
  std::size_t k1 = 0;  ///< index into F.chosen of the surface that a1 lies on, eq. (28)
  std::size_t k2 = 0;  ///< index into G.chosen of the surface whose layer deflects, eq. (35)
  double mu = 0.0;
  std::optional<SoftLayer> soft;
  double start_deflection_mm = 0.0;  ///< delta_n^l
  SoftLayers layers;                 ///< of the contact's bodies A and B, in place of `soft`
  SoftContactStep series;            ///< of `layers`; set by FullMncp::lay_out
  std::array<Vec3, 2> start_layers_mm{Vec3::Zero(), Vec3::Zero()};  ///< (n, t, 0)^l of each

  /// Where the contact's unknowns and rows stand, -1 for those it does not have.
  struct Layout {
    int a1 = 0;          ///< 2; rows (28)
    int a2 = 0;          ///< 2; rows (29)
    int s = -1;          ///< p_t / (mu p_n); row of p_t in (7), divided by mu p_n
    int delta_bar = -1;  ///< row of the spring, second of (37); of `layers` their sum
    int delta_n = -1;    ///< row (35); equal to delta_bar where g is a distance
    int l_F = 0;         ///< one a function; rows (30)
    int l_G = 0;         ///< one a function; rows (31), or the last of (34)
    int p_n = 0;         ///< p_ns with `soft`; row (32)
    int p_nr = -1;       ///< of the rigid core; second row of (36)
    std::array<int, 2> p_core{-1, -1};  ///< p_nr of each of `layers`; second row of (36)
    int sigma = -1;                     ///< row of the cone in (7), divided by (mu p_n)^2
  } at;

  [[nodiscard]] bool has_friction() const { return at.s >= 0; }
  [[nodiscard]] bool is_soft() const { return soft || graspmap::is_soft(layers); }
  /// The index of F's layer; G has the other one.
  [[nodiscard]] std::size_t layer_of_F() const { return F_is_a ? 0 : 1; }
  /// The whole normal impulse, (33); of unknowns x or, with one unit for impulses, scaled ones.
  [[nodiscard]] double normal_impulse(const Eigen::VectorXd& x) const {
    return x[at.p_n] + (soft ? x[at.p_nr] : 0.0);
  }
  /// How far G is sunk, as its functions measure it.
  [[nodiscard]] double sunk_mm(const Eigen::VectorXd& x) const {
    return is_soft() ? x[at.delta_bar] : 0.0;
  }
};

/// Lays the unknowns of a contact out from `first` on. Returns the next free one.
int lay_out(FullContact& contact, int first);

/// Everything about a contact that depends on the unknowns, in G's axes.
struct ContactEvaluation {
  std::vector<FunctionJet> f;  ///< of F's chosen functions at a1
  std::vector<FunctionJet> g;  ///< of G's at a2
  FunctionJet f_at_a2;         ///< f_k1(a2)
  Vec2 a1{0, 0};
  Vec2 a2{0, 0};
  Vec2 y{0, 0};  ///< grad f_k1(a1) + sum over i != k1 of l_i grad f_i(a1), eq. (29)
  Vec2 w{0, 0};  ///< sum of l_j grad g_j(a2)
  Vec2 n{0, 0};  ///< y / |y|, out of F into G
  Vec2 t{0, 0};  ///< perp(n)
  Vec2 r1{0, 0};
  Vec2 r2{0, 0};
  Vec2 slip{0, 0};   ///< velocity of G's point relative to F's, mm/s
  double v_t = 0.0;  ///< of the surfaces on each other along t, with what the layers shift them by
  std::array<Vec3, 2> deflections{Vec3::Zero(), Vec3::Zero()};  ///< of `layers`, (n, t, 0), mm
  double pressed_mm = 0.0;  ///< how far F's layer is pressed in: the impulse acts so far within F
  double l_k1 = 0.0;
  double p_n = 0.0;            ///< the whole normal impulse
  double p_t = 0.0;            ///< on G along t
  double core_value_mm = 0.0;  ///< g_k2(a2 + delta_n grad g / |grad g|), eq. (35)
  Vec2 core_gradient{0, 0};    ///< of it with respect to a2
  double core_slope = 0.0;     ///< with respect to delta_n
};

/// A body at the end of the step.
struct BodyMotion {
  BodyFrame frame;
  Vec3 velocity = Vec3::Zero();  ///< mm/s, mm/s, rad/s
};

/// Evaluates a contact at the unknowns x (unscaled).
void evaluate_contact(const FullContact& contact, const BodyMotion& F, const BodyMotion& G,
                      const Eigen::VectorXd& x, ContactEvaluation& at);

/// The contact's own rows, and its impulses in the momentum rows' place: `wrench_F` and `wrench_G`
/// are what it gives to the bodies. Rows are written, not added.
void contact_rows(const FullContact& contact, const ContactEvaluation& at, double h,
                  const Eigen::VectorXd& x, Eigen::VectorXd& rows, Vec3& wrench_F, Vec3& wrench_G);

/// Derivatives of a row with respect to what a contact depends on: a1 (2), a2 (2), the poses of F
/// and G (3 each), and their velocities (3 each).
using ContactRow = Eigen::Matrix<double, 1, 16>;

/// Receives the derivatives of a contact's rows.
class ContactJacobianSink {
 public:
  ContactJacobianSink() = default;
  ContactJacobianSink(const ContactJacobianSink&) = delete;
  ContactJacobianSink& operator=(const ContactJacobianSink&) = delete;
  virtual ~ContactJacobianSink() = default;

  /// Derivatives of a row of the contact: by what it depends on, and by one of its other unknowns.
  virtual void row(int row, const ContactRow& derivative) = 0;
  virtual void entry(int row, int column, double derivative) = 0;
  /// The same of the wrench on F (side 0) or G (side 1) along an axis.
  virtual void wrench_row(int side, int axis, const ContactRow& derivative) = 0;
  virtual void wrench_entry(int side, int axis, int column, double derivative) = 0;
};

/// The Jacobian of `contact_rows`. Boundaries are taken to have at least the curvature
/// `least_curvature_per_mm` here, so that edges along each other leave it regular: not in the rows.
void contact_jacobian(const FullContact& contact, const ContactEvaluation& at, const BodyMotion& F,
                      const BodyMotion& G, double h, double least_curvature_per_mm,
                      const Eigen::VectorXd& x, ContactJacobianSink& sink);

}  // namespace graspmap
