#pragma once

#include <cmath>
#include <variant>

#include "sim/maximum_dissipation.hpp"
#include "sim/spatial/step_contact.hpp"

/// The equations of one contact at the end of a step, for any scalar: values, and derivatives by
/// automatic differentiation.

namespace graspmap {

/// A body at the end of a step.
template <typename T>
struct BodyAtEnd {
  Vec3T<T> centre_mm;
  Eigen::Matrix<T, 3, 3> R;  ///< body axes to G's
  Vec3T<T> v;                ///< mm/s
  Vec3T<T> w;                ///< rad/s
};

/// The rotation of `moved`: by 2 atan(h |w| / 2) about w (Cayley's map), applied to u.
template <typename T>
Vec3T<T> turned(const Vec3T<T>& w, double h, const Vec3T<T>& u) {
  const Vec3T<T> b = w * T(0.5 * h);
  const Vec3T<T> across = b.cross(u);
  return u + (across + b.cross(across)) * (T(2.0) / (T(1.0) + b.dot(b)));
}

template <typename T>
BodyAtEnd<T> body_at_end(const Pose3& start, const Vec3T<T>& v, const Vec3T<T>& w, double h) {
  BodyAtEnd<T> body;
  body.v = v;
  body.w = w;
  body.centre_mm = start.position_mm.cast<T>() + v * T(h);
  const Mat3 R = start.orientation.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    body.R.col(i) = turned<T>(w, h, Vec3T<T>(R.col(i).template cast<T>()));
  }
  return body;
}

/// Closest points, gap and normal.
template <typename T>
struct ClosestPoints3 {
  Vec3T<T> a1;  ///< on A, in G
  Vec3T<T> a2;  ///< on B
  Vec3T<T> n;   ///< out of B into A
  T gap;
};

template <typename T>
Vec3T<T> unit(const Vec3T<T>& v) {
  using std::sqrt;
  const T norm = sqrt(T(v.dot(v)));
  return v / norm;
}

/// How far a bounded solid with unique support points reaches along -n, and where.
template <typename T>
Vec3T<T> lowest_point(const Solid& solid, const BodyAtEnd<T>& body, const Vec3T<T>& n) {
  if (const auto* sphere = std::get_if<Sphere>(&solid)) {
    return body.centre_mm - n * T(sphere->radius_mm);
  }
  const Vec3 axes = std::get<Ellipsoid>(solid).semi_axes_mm;
  const Vec3T<T> direction = body.R.transpose() * n;
  const Vec3T<T> scaled = axes.cast<T>().cwiseProduct(direction);
  const Vec3T<T> point = axes.cast<T>().cwiseProduct(unit<T>(scaled));
  return body.centre_mm - body.R * point;
}

/// Of solids with `has_unique_closest_points`.
template <typename T>
ClosestPoints3<T> unique_closest_points(const Solid& a, const BodyAtEnd<T>& A, const Solid& b,
                                        const BodyAtEnd<T>& B) {
  ClosestPoints3<T> at;
  const bool a_is_plane = std::holds_alternative<HalfSpace>(a);
  if (a_is_plane || std::holds_alternative<HalfSpace>(b)) {
    const BodyAtEnd<T>& plane = a_is_plane ? A : B;
    const Vec3T<T> normal = plane.R.col(2);  // out of the half-space
    const Vec3T<T> low = lowest_point<T>(a_is_plane ? b : a, a_is_plane ? B : A, normal);
    at.gap = normal.dot(low - plane.centre_mm);
    const Vec3T<T> foot = low - normal * at.gap;
    at.n = a_is_plane ? Vec3T<T>(-normal) : normal;
    at.a1 = a_is_plane ? foot : low;
    at.a2 = a_is_plane ? low : foot;
    return at;
  }
  using std::sqrt;
  const Vec3T<T> apart = A.centre_mm - B.centre_mm;
  const T distance = sqrt(T(apart.dot(apart)));
  at.n = apart / distance;
  const double r_a = std::get<Sphere>(a).radius_mm;
  const double r_b = std::get<Sphere>(b).radius_mm;
  at.a1 = A.centre_mm - at.n * T(r_a);
  at.a2 = B.centre_mm + at.n * T(r_b);
  at.gap = distance - T(r_a + r_b);
  return at;
}

/// sum over i of l_i grad f_i(a), in G, and the rows -f_i(a) >= 0 of l_i >= 0.
template <typename T, typename Rows>
Vec3T<T> weighted_gradient(const std::vector<Surface>& surfaces, const BodyAtEnd<T>& body,
                           const Vec3T<T>& a, const T* l, double gap_scale, Rows&& rows) {
  const Vec3T<T> local = body.R.transpose() * (a - body.centre_mm);
  Vec3T<T> sum = Vec3T<T>::Constant(T(0.0));
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    rows(static_cast<int>(i), T(-surface_value<T>(surfaces[i], local) / T(gap_scale)));
    sum += surface_gradient<T>(surfaces[i], local) * l[i];
  }
  return body.R * sum;
}

/// The rows of the full form's closest points, 000_14f00f4ae61b7d54.txt eq. (28)-(31) without the
/// choice of k1: with y_A = sum l_i grad f_i(a_1), y_B = sum l_j grad g_j(a_2),
///   a_1 - a_2 = s y_B,   y_A + y_B = 0,   |y_B| = 1,   0 <= l orthogonal to -f, -g >= 0.
/// s is the signed distance, n = y_B the normal. Dividing (28) by l_k1 gives the paper's where the
/// solids are apart; these determine n also where they touch and y's scale is lost there.
template <typename T>
ClosestPoints3<T> closest_point_rows(const StepContact& contact, const SpatialScales& scales,
                                     const Vec3& origin_mm, const BodyAtEnd<T>& A,
                                     const BodyAtEnd<T>& B, const T* z, T* rows) {
  ClosestPoints3<T> at;
  const T L(scales.length_mm);
  at.a1 = origin_mm.cast<T>() + Vec3T<T>(z[0], z[1], z[2]) * L;
  at.a2 = origin_mm.cast<T>() + Vec3T<T>(z[3], z[4], z[5]) * L;
  at.gap = z[6] * T(scales.gap_mm);
  const Vec3T<T> y_A = weighted_gradient<T>(
      contact.surfaces_a, A, at.a1, z + contact.multiplier_a(), scales.gap_mm,
      [&](int i, const T& value) { rows[contact.multiplier_a() + i] = value; });
  const Vec3T<T> y_B = weighted_gradient<T>(
      contact.surfaces_b, B, at.a2, z + contact.multiplier_b(), scales.gap_mm,
      [&](int j, const T& value) { rows[contact.multiplier_b() + j] = value; });
  at.n = y_B;
  const Vec3T<T> apart = (at.a1 - at.a2) / T(scales.gap_mm) - y_B * z[6];
  const Vec3T<T> opposed = y_A + y_B;
  for (int i = 0; i < 3; ++i) {
    rows[i] = apart[i];
    rows[3 + i] = opposed[i];
  }
  rows[6] = T(0.5) * (y_B.dot(y_B) - T(1.0));
  return at;
}

/// n, t, o: right-handed, t in the plane of n and the contact's axis.
template <typename T>
struct ContactFrame {
  Vec3T<T> n;
  Vec3T<T> t;
  Vec3T<T> o;
};
template <typename T>
ContactFrame<T> contact_frame(const Vec3T<T>& n, const Vec3& axis) {
  ContactFrame<T> frame;
  frame.n = n;
  const Vec3T<T> along = axis.cast<T>();
  frame.t = unit<T>(Vec3T<T>(along - n * n.dot(along)));
  frame.o = n.cross(frame.t);
  return frame;
}

/// The axis for a normal: x, or z where the normal is near x.
inline Vec3 frame_axis(const Vec3& n) {
  return std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
}

/// The impulse of a contact on A: linear at a_1 and about n.
template <typename T>
struct ContactWrench {
  Vec3T<T> impulse;  ///< mN s
  T spin;            ///< mN s mm
};

/// The last five rows: the gap of p_n, and `maximum_dissipation`. An axis without friction has
/// u = 0.
template <typename T>
ContactWrench<T> friction_rows(const StepContact& contact, const SpatialScales& scales,
                               const BodyAtEnd<T>& A, const BodyAtEnd<T>& B,
                               const ClosestPoints3<T>& at, const T* z, T* rows) {
  const EllipticFriction& law = contact.friction;
  const ContactFrame<T> frame = contact_frame<T>(at.n, contact.axis);
  const Vec3T<T> r_a = at.a1 - A.centre_mm;
  const Vec3T<T> r_b = at.a2 - B.centre_mm;
  const Vec3T<T> slip = A.v + A.w.cross(r_a) - B.v - B.w.cross(r_b);
  const double V = scales.velocity_mm_s;
  const T& p_n = z[0];
  const T& sigma = z[4];
  const Vec3T<T> velocity(frame.t.dot(slip), frame.o.dot(slip), frame.n.dot(A.w - B.w));
  const Vec3 e(law.e_t, law.e_o, law.e_r_mm);
  const auto friction =
      maximum_dissipation<T, 3>(Vec3T<T>(velocity.cwiseProduct((e / V).template cast<T>())),
                                Vec3T<T>(z[1], z[2], z[3]), sigma);
  rows[0] = at.gap / T(scales.gap_mm);
  const bool slides = law.mu > 0.0;
  for (int i = 0; i < 3; ++i) rows[1 + i] = slides && e[i] > 0.0 ? friction.slip[i] : z[1 + i];
  rows[4] = slides ? friction.cone : sigma;
  const T P(scales.impulse_mn_s);
  const T limit = p_n * T(law.mu);
  ContactWrench<T> wrench;
  wrench.impulse = (frame.n * p_n + frame.t * (limit * z[1] * T(law.e_t)) +
                    frame.o * (limit * z[2] * T(law.e_o))) *
                   P;
  wrench.spin = limit * z[3] * T(law.e_r_mm) * P;
  return wrench;
}

}  // namespace graspmap
