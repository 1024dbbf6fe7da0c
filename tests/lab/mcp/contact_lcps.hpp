#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/mcp/problem.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// A time step of planar bodies in contact: v' = v_free + M^-1 (n^T c_n + t^T (b+ - b-)), with
/// 0 <= c_n orthogonal to n v' + gap_rate >= 0 and Coulomb friction of coefficient mu.
struct PlanarContacts {
  Eigen::VectorXd mass;      ///< diagonal of M
  Eigen::VectorXd v_free;    ///< without contact
  Eigen::MatrixXd normals;   ///< a row per contact
  Eigen::MatrixXd tangents;  ///< a row per contact
  Eigen::VectorXd gap_rate;  ///< gap over time step
  double mu = 0.0;
};

/// The problem of Stewart and Trinkle 2000 in (c_n, b+, b-, lambda).
inline mcp::LinearProblem contact_lcp(const PlanarContacts& contacts) {
  const auto k = contacts.normals.rows();
  Eigen::MatrixXd J(3 * k, contacts.mass.size());
  J << contacts.normals, contacts.tangents, -contacts.tangents;
  mcp::LinearProblem lcp;
  lcp.M = Eigen::MatrixXd::Zero(4 * k, 4 * k);
  lcp.M.topLeftCorner(3 * k, 3 * k) = J * contacts.mass.cwiseInverse().asDiagonal() * J.transpose();
  lcp.q = Eigen::VectorXd::Zero(4 * k);
  lcp.q.head(3 * k) = J * contacts.v_free;
  lcp.q.head(k) += contacts.gap_rate;
  for (int i = 0; i < k; ++i) {
    lcp.M(3 * k + i, i) = contacts.mu;
    for (const auto direction : {k + i, 2 * k + i}) {
      lcp.M(direction, 3 * k + i) = 1.0;
      lcp.M(3 * k + i, direction) = -1.0;
    }
  }
  lcp.kinds.assign(static_cast<std::size_t>(4 * k), mcp::Kind::kNonnegative);
  return lcp;
}

/// v' of a solution of `contact_lcp`.
inline Eigen::VectorXd motion(const PlanarContacts& contacts, const Eigen::VectorXd& z) {
  const auto k = contacts.normals.rows();
  const Eigen::VectorXd friction = z.segment(k, k) - z.segment(2 * k, k);
  return contacts.v_free +
         contacts.mass.cwiseInverse().cwiseProduct(contacts.normals.transpose() * z.head(k) +
                                                   contacts.tangents.transpose() * friction);
}

/// Unknowns (x, y, angle) of one body; contacts on the line y = 0 below it at the offsets `at` from
/// its centre, which is `height` above.
inline PlanarContacts block_on_table(double mass, double inertia, double height,
                                     const std::vector<double>& at, double mu) {
  PlanarContacts contacts;
  contacts.mass = Eigen::Vector3d(mass, mass, inertia);
  contacts.v_free = Eigen::Vector3d::Zero();
  const auto k = static_cast<Eigen::Index>(at.size());
  contacts.normals.resize(k, 3);
  contacts.tangents.resize(k, 3);
  for (int i = 0; i < k; ++i) {
    contacts.normals.row(i) << 0.0, 1.0, at[static_cast<std::size_t>(i)];
    contacts.tangents.row(i) << 1.0, 0.0, height;
  }
  contacts.gap_rate = Eigen::VectorXd::Zero(k);
  contacts.mu = mu;
  return contacts;
}

/// Discs of radius 1 in rows of `base`, base - 1, ... 1 on a table, all touching, with the masses
/// 10^uniform(0, decades), after a time step's fall: 3 unknowns a disc. Many impulses are
/// redundant.
inline PlanarContacts pyramid_of_discs(int base, double decades, double mu, Random& random) {
  std::vector<Eigen::Vector2d> centres;
  for (int row = 0; row < base; ++row) {
    for (int i = 0; i < base - row; ++i) {
      centres.emplace_back(2.0 * i + row, 1.0 + row * std::sqrt(3.0));
    }
  }
  const auto discs = static_cast<Eigen::Index>(centres.size());
  PlanarContacts contacts;
  contacts.mass.resize(3 * discs);
  contacts.v_free = Eigen::VectorXd::Zero(3 * discs);
  std::vector<Eigen::VectorXd> normals;
  std::vector<Eigen::VectorXd> tangents;
  const auto add = [&](Eigen::Index above, Eigen::Index below, const Eigen::Vector2d& n) {
    Eigen::VectorXd normal = Eigen::VectorXd::Zero(3 * discs);
    Eigen::VectorXd tangent = Eigen::VectorXd::Zero(3 * discs);
    const Eigen::Vector2d t(n.y(), -n.x());
    normal.segment<2>(3 * above) = n;
    tangent.segment<3>(3 * above) << t, 1.0;  // the arm is -n, and -n x t = 1
    if (below >= 0) {
      normal.segment<2>(3 * below) = -n;
      tangent.segment<3>(3 * below) << -t, 1.0;
    }
    normals.push_back(normal);
    tangents.push_back(tangent);
  };
  for (Eigen::Index i = 0; i < discs; ++i) {
    const double mass = std::pow(10.0, random.uniform(0.0, decades));
    contacts.mass.segment<3>(3 * i) << mass, mass, 0.5 * mass;
    contacts.v_free[3 * i + 1] = -0.5;
    const auto& centre = centres[static_cast<std::size_t>(i)];
    if (centre.y() < 1.5) add(i, -1, Eigen::Vector2d(0.0, 1.0));
    for (Eigen::Index j = 0; j < i; ++j) {
      const Eigen::Vector2d apart = centre - centres[static_cast<std::size_t>(j)];
      if (apart.norm() < 2.0 + 1e-6) add(i, j, apart.normalized());
    }
  }
  const auto k = static_cast<Eigen::Index>(normals.size());
  contacts.normals.resize(k, 3 * discs);
  contacts.tangents.resize(k, 3 * discs);
  for (Eigen::Index i = 0; i < k; ++i) {
    contacts.normals.row(i) = normals[static_cast<std::size_t>(i)];
    contacts.tangents.row(i) = tangents[static_cast<std::size_t>(i)];
  }
  contacts.gap_rate = Eigen::VectorXd::Zero(k);
  contacts.mu = mu;
  return contacts;
}

}  // namespace graspmap::testing
