#include "lab/planar/full/full_contact_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace graspmap {
namespace {

/// Functions of a polygon that are chosen at first.
constexpr std::size_t kMaxFunctions = 6;

/// Values of functions within this part of L count as equal.
constexpr double kSameValue = 1e-6;

const ConvexShape& shape_of(const PlanarScene& scene, int body, int shape) {
  return scene.bodies[static_cast<std::size_t>(body)].shapes[static_cast<std::size_t>(shape)].shape;
}

bool is_superellipse(const ConvexShape& shape) {
  return std::holds_alternative<Superellipse>(shape);
}

/// The corners of a rounded polygon share their straight sides: one function is enough.
bool is_rounded(const PieceFunction& function) {
  return std::holds_alternative<RoundedWedge>(function.function);
}

const BodyFrame& frame_of(const FullMncp& problem, const ContactSide& side) {
  return problem.bodies()[static_cast<std::size_t>(side.body)].frame;
}

struct SidePoints {
  Vec2 a1{0, 0};
  Vec2 a2{0, 0};
  Vec2 n{0, 0};  ///< out of F
};

SidePoints points_of(const PairClosest& closest, const FullContact& contact) {
  if (contact.F_is_a) return {closest.at.on_a_mm, closest.at.on_b_mm, -closest.at.normal};
  return {closest.at.on_b_mm, closest.at.on_a_mm, closest.at.normal};
}

/// The functions with the largest values at x.
void choose_side(const BodyFrame& frame, const Vec2& x, ContactSide& side) {
  const std::vector<PieceFunction>& all = *side.functions;
  side.chosen.resize(all.size());
  std::iota(side.chosen.begin(), side.chosen.end(), 0);
  const std::size_t most = is_rounded(all.front()) ? 1 : kMaxFunctions;
  if (all.size() <= most) return;
  std::vector<double> values;
  for (const PieceFunction& function : all) values.push_back(value_at(function, frame, x));
  std::stable_sort(side.chosen.begin(), side.chosen.end(), [&](int l, int r) {
    return values[static_cast<std::size_t>(l)] > values[static_cast<std::size_t>(r)];
  });
  side.chosen.resize(most);
  std::sort(side.chosen.begin(), side.chosen.end());
}

/// Coefficients c >= 0 with sum c_i g_i = target over the functions that are active, at most two of
/// them not zero; where none exist, 1 for the nearest gradient.
std::vector<double> cone_coefficients(const std::vector<FunctionJet>& jets, const Vec2& target,
                                      double same_value_mm) {
  std::vector<double> c(jets.size(), 0.0);
  double largest = -std::numeric_limits<double>::infinity();
  for (const FunctionJet& jet : jets) largest = std::max(largest, jet.value_mm);
  std::size_t nearest = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < jets.size(); ++i) {
    const double cosine = jets[i].gradient.normalized().dot(target);
    if (jets[i].value_mm < largest - same_value_mm || !(cosine > best)) continue;
    best = cosine;
    nearest = i;
  }
  const Vec2& g = jets[nearest].gradient;
  for (std::size_t j = 0; j < jets.size(); ++j) {
    const double det = cross(g, jets[j].gradient);
    if (jets[j].value_mm < largest - same_value_mm || det == 0.0) continue;
    const double c_i = cross(target, jets[j].gradient) / det;
    const double c_j = cross(g, target) / det;
    if (c_i < 0.0 || c_j <= 0.0) continue;
    c[nearest] = c_i;
    c[j] = c_j;
    return c;
  }
  c[nearest] = std::max(target.dot(g), 0.0) / g.squaredNorm();
  return c;
}

std::vector<FunctionJet> jets_at(const ContactSide& side, const BodyFrame& frame, const Vec2& x) {
  std::vector<FunctionJet> jets;
  for (std::size_t i = 0; i < side.chosen.size(); ++i) {
    jets.push_back(jet_at(side.function(i), frame, x));
  }
  return jets;
}

void guess_multipliers(const SidePoints& points, const FullMncp& problem,
                       const FullContact& contact, Eigen::VectorXd& x) {
  const double same = kSameValue * problem.scales().length_mm;
  const std::vector<FunctionJet> f = jets_at(contact.F, frame_of(problem, contact.F), points.a1);
  const std::vector<FunctionJet> g = jets_at(contact.G, frame_of(problem, contact.G), points.a2);
  const std::vector<double> c = cone_coefficients(f, points.n, same);
  const double c_k1 = c[contact.k1];
  Vec2 y = f[contact.k1].gradient;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (i == contact.k1) continue;
    const double l = c_k1 > 0.0 ? c[i] / c_k1 : 0.0;
    x[contact.at.l_F + static_cast<int>(i)] = l;
    y += l * f[i].gradient;
  }
  x[contact.at.l_F + static_cast<int>(contact.k1)] =
      std::max(0.0, (points.a2 - points.a1).dot(y) / y.squaredNorm());
  const std::vector<double> l_G = cone_coefficients(g, -y, same);
  for (std::size_t j = 0; j < g.size(); ++j) x[contact.at.l_G + static_cast<int>(j)] = l_G[j];
}

}  // namespace

bool add_to_pairs(const ContactKey& contact, std::vector<PiecePair>& pairs) {
  for (PiecePair& pair : pairs) {
    if (!pair.is_of(contact)) continue;
    if (std::find(pair.features.begin(), pair.features.end(), contact.feature) !=
        pair.features.end()) {
      return false;
    }
    pair.features.push_back(contact.feature);
    return true;
  }
  pairs.push_back(
      {contact.body_a, contact.shape_a, contact.body_b, contact.shape_b, {contact.feature}});
  return true;
}

void PieceLibrary::begin(const PlanarScene& scene) {
  scene_ = &scene;
  functions_.clear();
}

const std::vector<PieceFunction>& PieceLibrary::functions(int body, int shape) {
  const auto [found, is_new] = functions_.try_emplace({body, shape});
  if (is_new) {
    const PlanarBody& of = scene_->bodies[static_cast<std::size_t>(body)];
    found->second = piece_functions(of.shapes[static_cast<std::size_t>(shape)]);
  }
  return found->second;
}

PairClosest closest_of_pair(const PlanarScene& scene, const PlanarState& state,
                            const PiecePair& pair, double same_gap_mm) {
  std::vector<ShapeContact> contacts;
  std::size_t best = 0;
  for (const ContactFeature& feature : pair.features) {
    contacts.push_back(contact_at(scene, state, pair.key(feature)));
    if (contacts.back().gap_mm < contacts[best].gap_mm) best = contacts.size() - 1;
  }
  PairClosest closest{pair.features[best], contacts[best]};
  double count = 1.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const bool is_along = std::abs(cross(contacts[i].normal, contacts[best].normal)) < 1e-6;
    if (i == best || !is_along || contacts[i].gap_mm > contacts[best].gap_mm + same_gap_mm) {
      continue;
    }
    closest.at.on_a_mm += contacts[i].on_a_mm;
    closest.at.on_b_mm += contacts[i].on_b_mm;
    count += 1.0;
  }
  closest.at.on_a_mm /= count;
  closest.at.on_b_mm /= count;
  return closest;
}

FullContact full_contact(const PlanarScene& scene, const PlanarState& start, const PiecePair& pair,
                         PieceLibrary& library) {
  const ContactLaw law = contact_law(scene, pair.body_a, pair.body_b);
  const ContactSide a{pair.body_a, pair.shape_a, &library.functions(pair.body_a, pair.shape_a), {}};
  const ContactSide b{pair.body_b, pair.shape_b, &library.functions(pair.body_b, pair.shape_b), {}};
  const bool a_single = a.functions->size() == 1;
  const bool b_single = b.functions->size() == 1;
  FullContact contact;
  contact.F_is_a = a_single == b_single
                       ? is_superellipse(shape_of(scene, pair.body_a, pair.shape_a)) ||
                             !is_superellipse(shape_of(scene, pair.body_b, pair.shape_b))
                       : a_single;
  contact.F = contact.F_is_a ? a : b;
  contact.G = contact.F_is_a ? b : a;
  contact.mu = law.mu;
  contact.soft = law.soft;
  contact.layers = law.layers;
  for (const Deflection& deflection : start.deflections) {
    const std::array<int, 4> key{pair.body_a, pair.shape_a, pair.body_b, pair.shape_b};
    if (deflection.contact != key) continue;
    contact.start_deflection_mm = deflection.delta_mm;
    contact.start_layers_mm = deflection.layers_mm;
  }
  return contact;
}

void choose_functions(const PairClosest& closest, const FullMncp& problem, FullContact& contact) {
  const SidePoints points = points_of(closest, contact);
  choose_side(frame_of(problem, contact.F), points.a1, contact.F);
  choose_side(frame_of(problem, contact.G), points.a2, contact.G);
  contact.k1 = ranked_k1(closest, problem, contact).front();
  const std::vector<FunctionJet> g = jets_at(contact.G, frame_of(problem, contact.G), points.a2);
  const std::vector<double> l = cone_coefficients(g, -points.n, kSameValue);
  contact.k2 =
      static_cast<std::size_t>(std::distance(l.begin(), std::max_element(l.begin(), l.end())));
}

std::vector<std::size_t> ranked_k1(const PairClosest& closest, const FullMncp& problem,
                                   const FullContact& contact) {
  const SidePoints points = points_of(closest, contact);
  const std::vector<FunctionJet> f = jets_at(contact.F, frame_of(problem, contact.F), points.a2);
  const double same = kSameValue * problem.scales().length_mm;
  const auto gap = [&](std::size_t i) { return f[i].value_mm / f[i].gradient.norm(); };
  const auto along = [&](std::size_t i) { return f[i].gradient.normalized().dot(points.n); };
  std::vector<std::size_t> order(f.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Equal values at a vertex that touches: the normal decides.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t l, std::size_t r) {
    const double gap_l = std::round(gap(l) / same);
    const double gap_r = std::round(gap(r) / same);
    return gap_l != gap_r ? gap_l > gap_r : along(l) > along(r);
  });
  return order;
}

void guess_contact(const PairClosest& closest, const FullMncp& problem, const FullContact& contact,
                   Eigen::VectorXd& x) {
  const FullContact::Layout& of = contact.at;
  const SidePoints points = points_of(closest, contact);
  x.segment<2>(of.a1) = points.a1;
  x.segment<2>(of.a2) = points.a2;
  guess_multipliers(points, problem, contact, x);
  x[of.p_n] = 0.0;
  if (contact.is_soft()) {
    const double overlap = std::max(0.0, -closest.at.gap_mm);
    if (overlap > 0.0) x.segment<2>(of.a2) = points.a1;  // on the sunken surface
    x[of.delta_bar] = overlap;
    x[of.delta_n] = overlap;
    if (contact.soft) x[of.p_nr] = 0.0;
  }
  if (!contact.has_friction()) return;
  const BodyMotion& F = problem.bodies()[static_cast<std::size_t>(contact.F.body)];
  const BodyMotion& G = problem.bodies()[static_cast<std::size_t>(contact.G.body)];
  const Vec2 slip = G.velocity.head<2>() + G.velocity[2] * perp(points.a2 - G.frame.origin_mm) -
                    F.velocity.head<2>() - F.velocity[2] * perp(points.a1 - F.frame.origin_mm);
  const double v_t = perp(points.n).dot(slip);
  x[of.s] = v_t > 0.0 ? -1.0 : (v_t < 0.0 ? 1.0 : 0.0);
  x[of.sigma] = std::abs(v_t);
}

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
