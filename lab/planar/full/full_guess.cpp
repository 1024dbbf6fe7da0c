#include "lab/planar/full/full_guess.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// Sweeps with fixed geometry, and how often the geometry is computed again.
constexpr int kSweeps = 15;
constexpr int kPoses = 4;

/// A feature as a point contact.
struct PointContact {
  std::size_t pair = 0;
  GeneralizedRow W_n;
  GeneralizedRow W_t;
  double mass_n = 0.0;  ///< 1 / (W_n^T M^-1 W_n)
  double mass_t = 0.0;
  double target = 0.0;    ///< least W_n nu
  double softness = 0.0;  ///< of a layer, per impulse: velocity that it gives way by
  double softness_t = 0.0;
  double mu = 0.0;
  double p_n = 0.0;
  double p_t = 0.0;
  Vec2 on_a_mm{0, 0};
  Vec2 on_b_mm{0, 0};
};

class GaussSeidel {
 public:
  GaussSeidel(const PlanarScene& scene, const PlanarState& start, double h,
              const std::vector<PiecePair>& pairs, const Eigen::VectorXd& free_velocity,
              StepGuess& guess)
      : scene_(scene), start_(start), h_(h), pairs_(pairs), guess_(guess) {
    inertia_ = mass_diagonal(scene) + h * damping_diagonal(scene);
    guess_.nu = free_velocity;
    guess_.tables.assign(scene.tables.size(), Vec3::Zero());
    guess_.pins.assign(scene.pins.size(), Vec2::Zero());
    free_velocity_ = free_velocity;
  }

  void run() {
    for (int pose = 0; pose < kPoses; ++pose) {
      // A copy: guess_.nu begins anew.
      take_geometry(Eigen::VectorXd(pose == 0 ? start_.nu : guess_.nu));
      for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (PointContact& contact : contacts_) relax(contact);
        relax_tables();
      }
    }
    sum_up();
  }

 private:
  [[nodiscard]] double inverse_mass(const GeneralizedRow& row) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(row.size); ++k) {
      sum += row.value[k] * row.value[k] / inertia_[row.index[k]];
    }
    return sum;
  }

  void push(const GeneralizedRow& row, double impulse) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(row.size); ++k) {
      guess_.nu[row.index[k]] += row.value[k] * impulse / inertia_[row.index[k]];
    }
  }

  /// Rows and gaps at the end of a step with nu; the impulses so far act along the new rows.
  void take_geometry(const Eigen::VectorXd& nu) {
    advance(scene_, start_, nu, h_, end_);
    const std::vector<PointContact> before = std::move(contacts_);
    contacts_.clear();
    guess_.nu = free_velocity_;
    for (std::size_t i = 0; i < guess_.tables.size(); ++i) push_table(i, guess_.tables[i]);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ContactLaw law = contact_law(scene_, pairs_[i].body_a, pairs_[i].body_b);
      for (const ContactFeature& feature : pairs_[i].features) {
        add(i, feature, law, nu);
        PointContact& contact = contacts_.back();
        if (before.empty()) continue;
        contact.p_n = before[contacts_.size() - 1].p_n;
        contact.p_t = before[contacts_.size() - 1].p_t;
        push(contact.W_n, contact.p_n);
        push(contact.W_t, contact.p_t);
      }
    }
  }

  void add(std::size_t pair, const ContactFeature& feature, const ContactLaw& law,
           const Eigen::VectorXd& nu) {
    const ContactKey key = pairs_[pair].key(feature);
    const ShapeContact at = contact_at(scene_, end_, key);
    PointContact contact;
    contact.pair = pair;
    contact.W_n = contact_row(scene_, end_, key, at, at.normal);
    contact.W_t = contact_row(scene_, end_, key, at, perp(at.normal));
    const double slowness_n = inverse_mass(contact.W_n);
    const double slowness_t = inverse_mass(contact.W_t);
    contact.mass_n = slowness_n > 0.0 ? 1.0 / slowness_n : 0.0;
    contact.mass_t = slowness_t > 0.0 ? 1.0 / slowness_t : 0.0;
    contact.target = contact.W_n.dot(nu) - at.gap_mm / h_;
    if (law.soft) {
      const double spring = h_ * law.soft->stiffness_mn_per_mm + law.soft->damping_mn_s_per_mm;
      contact.softness = 1.0 / (h_ * spring);
      contact.mass_n = 1.0 / (slowness_n + contact.softness);
    }
    for (const LayerStep& layer : soft_contact_step(law.layers, h_).layers) {
      contact.softness += layer.Y(0, 0) / h_;
      contact.softness_t += layer.Y(1, 1) / h_;
    }
    if (is_soft(law.layers)) {
      contact.mass_n = 1.0 / (slowness_n + contact.softness);
      contact.mass_t = 1.0 / (slowness_t + contact.softness_t);
    }
    contact.mu = law.mu;
    contact.on_a_mm = at.on_a_mm;
    contact.on_b_mm = at.on_b_mm;
    contacts_.push_back(contact);
  }

  void relax(PointContact& contact) {
    const double lack =
        contact.target - contact.W_n.dot(guess_.nu) - contact.softness * contact.p_n;
    const double p_n = std::max(0.0, contact.p_n + contact.mass_n * lack);
    push(contact.W_n, p_n - contact.p_n);
    contact.p_n = p_n;
    const double slip =
        contact.W_t.dot(guess_.nu) + contact.W_t.offset + contact.softness_t * contact.p_t;
    const double limit = contact.mu * p_n;
    const double p_t = std::clamp(contact.p_t - contact.mass_t * slip, -limit, limit);
    push(contact.W_t, p_t - contact.p_t);
    contact.p_t = p_t;
  }

  void push_table(std::size_t i, const Vec3& ds) {
    const TableFriction& table = scene_.tables[i];
    const Vec3 e(table.e_t, table.e_o, table.e_r_mm);
    const auto& coordinates = scene_.bodies[static_cast<std::size_t>(table.body)].coordinates;
    for (int axis = 0; axis < 3; ++axis) {
      const Coordinate& of = coordinates[static_cast<std::size_t>(axis)];
      if (of.index < 0) continue;
      guess_.nu[of.index] +=
          of.factor * h_ * table.limit_mn * e[axis] * ds[axis] / inertia_[of.index];
    }
  }

  void relax_tables() {
    for (std::size_t i = 0; i < scene_.tables.size(); ++i) {
      const TableFriction& table = scene_.tables[i];
      if (!(table.limit_mn > 0.0)) continue;
      const Vec3 e(table.e_t, table.e_o, table.e_r_mm);
      const auto& coordinates = scene_.bodies[static_cast<std::size_t>(table.body)].coordinates;
      Vec3 s = guess_.tables[i];
      for (int axis = 0; axis < 3; ++axis) {
        const Coordinate& of = coordinates[static_cast<std::size_t>(axis)];
        if (of.index < 0) continue;
        s[axis] -=
            guess_.nu[of.index] * inertia_[of.index] / (of.factor * h_ * table.limit_mn * e[axis]);
      }
      if (s.norm() > 1.0) s.normalize();
      push_table(i, s - guess_.tables[i]);
      guess_.tables[i] = s;
    }
  }

  void sum_up() {
    guess_.pairs.assign(pairs_.size(), {});
    std::vector<double> p_t(pairs_.size(), 0.0);
    std::vector<double> mu(pairs_.size(), 0.0);
    std::vector<int> loaded(pairs_.size(), 0);
    for (const PointContact& contact : contacts_) {
      StepGuess::Impulses& sum = guess_.pairs[contact.pair];
      sum.p_n += contact.p_n;
      sum.on_a_mm += contact.p_n * contact.on_a_mm;
      sum.on_b_mm += contact.p_n * contact.on_b_mm;
      p_t[contact.pair] += contact.p_t;
      mu[contact.pair] = contact.mu;
      if (contact.p_n > 0.0) ++loaded[contact.pair];
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      StepGuess::Impulses& sum = guess_.pairs[i];
      if (!(sum.p_n > 0.0)) continue;
      sum.on_a_mm /= sum.p_n;
      sum.on_b_mm /= sum.p_n;
      sum.has_point = loaded[i] > 1;
      if (mu[i] > 0.0) sum.s = p_t[i] / (mu[i] * sum.p_n);
    }
  }

  const PlanarScene& scene_;
  const PlanarState& start_;
  double h_;
  const std::vector<PiecePair>& pairs_;
  StepGuess& guess_;
  Eigen::VectorXd inertia_;
  Eigen::VectorXd free_velocity_;
  PlanarState end_;
  std::vector<PointContact> contacts_;
};

}  // namespace

void guess_step(const PlanarScene& scene, const PlanarState& start, double h,
                const std::vector<PiecePair>& pairs, const Eigen::VectorXd& free_velocity,
                StepGuess& guess) {
  GaussSeidel(scene, start, h, pairs, free_velocity, guess).run();
}

}  // namespace graspmap
