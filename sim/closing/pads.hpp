#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

// Soft pads in a step (Pad). A pad gives way at a contact by delta >= 0 along the normal, and its
// surface moves by w along t. With F the springs' force, tau the damping and h the time for which
// forces act, all at the end of the step:
//
//   0 <= p_n  perp  psi + delta >= 0            Chakraborty et al. 2014, eq. (33)-(36)
//   p_n = h F(delta) + tau (F(delta) - F*)      for delta < delta_max, else p_n >= that
//   p_t = -((h + tau) k_t w - tau k_t w*)
//   the surfaces slip by v_t - (w - w*) / h
//
// where * is the start of the step, or what steps of second order extrapolate to. delta and w are
// functions of p_n and p_t, which stay the only unknowns of a contact.

/// A side of the part and one of the finger that meet at a contact and may lie flush, and their
/// outward normals in their own axes. It bears as a length of share w(s), w = (1 - s^2)^2 where
/// s = sine of their angle / kFlush is below 1. An end of the stretch that two sides share has half
/// of it.
struct PadSide {
  double share_mm = 0.0;
  Vec2 part_normal{0, 0};
  Vec2 finger_normal{0, 0};
};

/// A superellipse of exponent e on a straight edge: the radius is 2/e times that of the ellipse
/// with its semi-axes, and its flat ends bear as sides of 1 - 2/e times its width. That is exact
/// for e = 2 and for a rectangle, and all of it changes smoothly as the piece turns.
struct PadEllipse {
  double a_mm = 0.0;
  double b_mm = 0.0;
  double share_root = 1.0;  ///< (32/9 2/e)^(1/2)
  Vec2 axis{0, 0};          ///< of a, in B
  Vec2 edge_normal{0, 0};   ///< in G
};

/// What presses on a pad.
struct PadShape {
  double radius_mm =
      0.0;  ///< of curvature of both bodies together; 0 at a corner, and of `ellipse`
  int sides = 0;
  std::array<PadSide, 2> side{};
  bool is_ellipse = false;
  PadEllipse ellipse;
};

/// The springs of a pad at a contact: F = linear delta + root delta^(3/2). The first term is that
/// of what bears as if it were flat, k (spread + sum of share w); the second is an elastic
/// foundation under a cylinder, Johnson 1985, section 4.3: the pressure k (delta - x^2 / (2 R)) on
/// all of the contact gives 4/3 k (2 R)^(1/2) delta^(3/2).
struct PadStiffness {
  double linear_mn_per_mm = 1.0;  ///< > 0
  double root = 0.0;              ///< >= 0, mN/mm^(3/2)

  /// F, continued as a straight line where delta < 0.
  [[nodiscard]] double force_mn(double delta_mm) const {
    return delta_mm * (linear_mn_per_mm + root * std::sqrt(std::max(delta_mm, 0.0)));
  }
  [[nodiscard]] double slope(double delta_mm) const {
    return linear_mn_per_mm + 1.5 * root * std::sqrt(std::max(delta_mm, 0.0));
  }
  /// The springs' energy, mN mm.
  [[nodiscard]] double energy(double delta_mm) const {
    return delta_mm * delta_mm *
           (0.5 * linear_mn_per_mm + 0.4 * root * std::sqrt(std::max(delta_mm, 0.0)));
  }
  /// delta at this force, sooner found near `guess_mm` > 0.
  [[nodiscard]] double deflection_mm(double force_mn, double guess_mm) const;
};

/// What is left of a pad's state at a contact by the step before.
struct PadMemory {
  double deflection_mm = 0.0;     ///< delta
  double before_mm = 0.0;         ///< delta one step earlier
  double force_mn = 0.0;          ///< F
  double normal_energy = 0.0;     ///< of its springs, mN mm
  double shear_mm = 0.0;          ///< w
  double shear_before_mm = 0.0;   ///< w one step earlier
  double shear_mn_per_mm = 0.0;   ///< k_t
  double curvature_per_mm = 0.0;  ///< of the piece at the contact
  double width_mm = 0.0;          ///< half of the piece's width along the jaw
  Vec2 edge_normal{0, 0};         ///< of the jaw's edge there, in G; zero: not on one
  bool has_shape = false;         ///< the two numbers before are those of the last step's end
};

/// How a pad gives way at a contact, and the moment on the part by which its energy U(delta, theta)
/// resists sides that come to lie flush, -dU/dtheta. Derivatives are those by p_n and theta, and of
/// the moment by delta and theta.
struct PadDeflection {
  double mm = 0.0;           ///< delta
  double elastic_mm = 0.0;   ///< that of the springs: without the set
  double per_impulse = 0.0;  ///< mm/(mN s)
  double per_rad = 0.0;      ///< mm
  double moment = 0.0;       ///< mN mm
  double moment_per_mm = 0.0;
  double moment_per_rad = 0.0;
  PadStiffness springs;
};

/// A pad at a contact in a step.
struct PadContact {
  bool is_soft = false;
  PadStiffness springs;            ///< without its sides
  double per_length = 0.0;         ///< k, mN/mm^2
  PadShape shape;                  ///< of which the sides count; none of a PadLaw::kSpring
  double most_mm = 0.0;            ///< delta_max
  double set_mm = 0.0;             ///< what of delta the springs do not feel: pad_contact
  double time_s = 0.0;             ///< h + tau
  double damping_s = 0.0;          ///< tau
  double force_mn = 0.0;           ///< F*, of the springs as they are in this step
  double last_mm = 0.0;            ///< delta at the start of the step
  double shear_mn_per_mm = 0.0;    ///< k_t; infinite: no shear
  double shear_mm = 0.0;           ///< w*
  double last_shear_mm = 0.0;      ///< w at the start of the step
  double per_motion = 0.0;         ///< 1 / h of the motion, 1/s
  double shear_per_impulse = 0.0;  ///< dw/d(-p_t), mm/(mN s)

  /// The pad under p_n where the part is turned by R.
  [[nodiscard]] PadDeflection deflection(double p_n, const Rotation2& R_GB) const;
  /// w.
  [[nodiscard]] double shear(double p_t) const {
    if (std::isinf(shear_mn_per_mm)) return 0.0;
    return (damping_s * shear_mn_per_mm * shear_mm - p_t) * shear_per_impulse;
  }
  /// By how much more the surfaces slip than part and jaw, mm/s.
  [[nodiscard]] double slip_mm_s(double p_t) const { return (shear_mm - shear(p_t)) * per_motion; }
  /// The energy of the springs, mN mm.
  [[nodiscard]] double energy(const PadDeflection& delta, double w_mm) const {
    const double sideways = w_mm == 0.0 ? 0.0 : 0.5 * shear_mn_per_mm * w_mm * w_mm;
    return delta.springs.energy(delta.elastic_mm) + sideways;
  }
};

/// The times of a step.
struct PadStep {
  double force_s = 0.0;       ///< for which forces act
  double motion_s = 0.0;      ///< for which the velocity at the end moves
  double extrapolated = 0.0;  ///< a in x* = x + a (x - x-): StepBase
};

/// What presses on a jaw's pad at a pair in configuration q, of which `memory` has kept the piece's
/// shape.
PadShape pad_shape(const ContactBodies& bodies, const Pair& pair, const Configuration& q,
                   const PadMemory& memory, double most_deflection_mm);

/// Keeps in `memory` what a piece is like at a contact.
void keep_shape(const ContactBodies& bodies, const Pair& pair, const ClosestPoints& closest,
                PadMemory& memory);

/// A pad under what presses on it, in a step. What presses may be another one than at the end of
/// the step before: the contact has passed on, or more or less of it is on the pad. Where that is
/// stiffer, the springs are as if they had been let go until they press no harder and have no more
/// energy than before; what is left of the deflection is a set, until the part leaves.
PadContact pad_contact(const Pad& pad, const PadShape& shape, const PadMemory& memory,
                       const PadStep& step, const Rotation2& R_GB);

}  // namespace graspmap
