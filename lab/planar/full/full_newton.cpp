#include "lab/planar/full/full_newton.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// The largest change of a velocity in an iteration (scaled): steps are shortened to it.
constexpr double kMostVelocity = 3.0;

/// A pattern without a solution leaves the residual unchanged, to this part of it, repeatedly.
constexpr double kUnchanged = 1e-6;
constexpr int kMostUnchanged = 2;

/// The solution of dPhi step = Phi.
void find_step(double singular, mcp::SemismoothNewtonWorkspace& work) {
  work.lu.compute(work.dPhi);
  const auto pivots = work.lu.matrixLU().diagonal().cwiseAbs();
  if (pivots.minCoeff() > singular * pivots.maxCoeff()) {
    work.step = work.lu.solve(work.Phi);
    return;
  }
  work.minimum_norm.compute(work.dPhi, singular);
  work.minimum_norm.solve(work.Phi, work.step);
}

/// s after the step: p_t has moved by the linear p_n ds + s dp_n.
double moved_share(const FullContact& contact, const Eigen::VectorXd& z,
                   const Eigen::VectorXd& next) {
  const int s = contact.at.s;
  const double p_n = contact.normal_impulse(next);
  const double p_t = z[s] * p_n + contact.normal_impulse(z) * (next[s] - z[s]);
  if (p_n > 0.0) return p_t / p_n;
  return std::clamp(next[s], -1.0, 1.0);
}

/// Calls visit(s, sigma) with the first index and the number of the shares, and the index of the
/// slip, of all friction.
template <typename Visit>
void for_each_friction(const FullMncp& problem, Visit&& visit) {
  for (const FullContact& contact : problem.contacts) {
    if (contact.has_friction()) visit(contact.at.s, 1, contact.at.sigma);
  }
  for (int i = 0; i < problem.tables(); ++i) visit(problem.table_at(i), 3, problem.table_at(i) + 3);
}

class Newton {
 public:
  Newton(FullMncp& problem, const FullNewtonOptions& options, Eigen::VectorXd& z,
         mcp::SemismoothNewtonWorkspace& work)
      : problem_(problem), options_(options), z_(z), work_(work) {}

  /// Takes the branches at z, and z to them. Returns the residual there.
  double project() {
    problem_.evaluate(z_, work_.F);
    const int n = problem_.size();
    is_zero_.assign(static_cast<std::size_t>(n), false);
    for (int i = 0; i < n; ++i) {
      if (problem_.kind(i) == mcp::Kind::kFree) continue;
      is_zero_[static_cast<std::size_t>(i)] = z_[i] <= work_.F[i];
      z_[i] = z_[i] <= work_.F[i] ? 0.0 : std::max(z_[i], 0.0);
    }
    for (std::size_t i = 0; i < options_.modes.size(); ++i) {
      keep_mode(problem_.contacts[i].at, options_.modes[i]);
    }
    for_each_friction(problem_, [&](int s, int count, int sigma) {
      if (!is_zero_[static_cast<std::size_t>(sigma)]) z_.segment(s, count).normalize();
    });
    problem_.evaluate(z_, work_.F);
    if (slide_open_contacts()) problem_.evaluate(z_, work_.F);
    return mcp::natural_residual(problem_, z_, work_.F);
  }

  /// Takes the branches of a mode instead.
  void keep_mode(const FullContact::Layout& of, FullContactMode mode) {
    const bool opens = mode == FullContactMode::kOpen;
    is_zero_[static_cast<std::size_t>(of.p_n)] = opens;
    if (opens) z_[of.p_n] = 0.0;
    if (of.s < 0 || opens) return;
    const bool sticks = mode == FullContactMode::kSticks;
    is_zero_[static_cast<std::size_t>(of.sigma)] = sticks;
    if (sticks) {
      z_[of.sigma] = 0.0;
    } else {
      z_[of.s] = mode == FullContactMode::kSlidesForward ? -1.0 : 1.0;
    }
  }

  /// Without a normal impulse friction cannot hold anything: sigma = |v_t|. True if z has changed.
  bool slide_open_contacts() {
    bool changed = false;
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      const FullContact& contact = problem_.contacts[i];
      if (!contact.has_friction() || contact.normal_impulse(z_) > 0.0) continue;
      const double v_t = problem_.at(i).v_t;
      z_[contact.at.s] = v_t > 0.0 ? -1.0 : 1.0;
      z_[contact.at.sigma] = std::abs(v_t) / problem_.units()[contact.at.sigma];
      is_zero_[static_cast<std::size_t>(contact.at.sigma)] = false;
      changed = true;
    }
    return changed;
  }

  void step() {
    problem_.jacobian(z_, work_.J);
    work_.dPhi = work_.J;
    work_.Phi = work_.F;
    for (int i = 0; i < problem_.size(); ++i) {
      if (!is_zero_[static_cast<std::size_t>(i)]) continue;
      work_.dPhi.row(i).setZero();
      work_.dPhi(i, i) = 1.0;
      work_.Phi[i] = 0.0;
    }
    find_step(options_.singular, work_);
    const double most =
        problem_.free_velocity().size() > 0
            ? work_.step.head(problem_.free_velocity().size()).lpNorm<Eigen::Infinity>()
            : 0.0;
    if (most > kMostVelocity) work_.step *= kMostVelocity / most;
    work_.trial = z_ - work_.step;
    for (const FullContact& contact : problem_.contacts) {
      if (contact.has_friction()) {
        work_.trial[contact.at.s] = moved_share(contact, z_, work_.trial);
      }
    }
    z_.swap(work_.trial);
  }

 private:
  FullMncp& problem_;
  const FullNewtonOptions& options_;
  Eigen::VectorXd& z_;
  mcp::SemismoothNewtonWorkspace& work_;
  std::vector<bool> is_zero_;  ///< unknowns whose branch is z_i = 0
};

}  // namespace

mcp::Result solve_full_newton(FullMncp& problem, const FullNewtonOptions& options,
                              Eigen::VectorXd& z, mcp::SemismoothNewtonWorkspace& work) {
  Newton newton(problem, options, z, work);
  int unchanged = 0;
  mcp::Result result;
  result.residual = newton.project();
  while (result.residual > options.tolerance) {
    if (!std::isfinite(result.residual)) {
      result.status = mcp::Status::kNotFinite;
      return result;
    }
    if (result.iterations == options.max_iterations) return result;
    newton.step();
    ++result.iterations;
    const double before = result.residual;
    result.residual = newton.project();
    unchanged = std::abs(result.residual - before) <= kUnchanged * before ? unchanged + 1 : 0;
    if (unchanged == kMostUnchanged && result.residual > options.tolerance) {
      result.status = mcp::Status::kStalled;
      return result;
    }
  }
  result.status = mcp::Status::kSolved;
  return result;
}

}  // namespace graspmap
