#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sim/support/fourth_order.hpp"

namespace graspmap {

using GramMatrix = Eigen::Matrix<double, 9, 9>;

/// A Gram matrix of z' H''(f) z in the nine products f_i z_a (at 3 i + a): z' H''(f) z = b' G b.
GramMatrix hessian_gram(const FourthOrderForm& form);

/// The matrices that may be added to a Gram matrix without a change of z' H''(f) z: nine, from
/// (f_i z_a)(f_j z_b) = (f_i z_b)(f_j z_a).
const std::vector<GramMatrix>& gram_freedom();

/// How convex a form is: the largest least eigenvalue of a Gram matrix of z' H''(f) z, divided by
/// the mean of its diagonal. H is convex exactly where it is not negative: for quartic forms in
/// three variables convex and sos-convex are the same (Ahmadi and Parrilo 2013). Found by an
/// interior-point method, off by at most 1e-10. -1 for a form whose diagonal is not positive.
double convexity_margin(const FourthOrderForm& form);

/// What keeps H = 1 from being a limit surface, in words that follow "H "; "" when it is one: H is
/// convex, and positive in all directions.
std::string limit_surface_fault(const FourthOrderForm& form);

}  // namespace graspmap
