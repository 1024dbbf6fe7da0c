#include "lab/planar/linear/solve_linear_step.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "lab/mcp/convex_qp.hpp"
#include "lab/mcp/lemke.hpp"
#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

mcp::Result solve_linear_step(const LinearStep& linear, double tolerance, StepSolution& solution,
                              int& unknowns) {
  mcp::Result result =
      solve_contact_lcp(linear, FrictionLaw::kCoulomb, tolerance, solution, unknowns);
  result.residual = solution_residual(linear, solution).value;
  if (result.status == mcp::Status::kSolved || linear.geometric.size() > 0) return result;
  StepSolution by_qp;
  int qp_unknowns = 0;
  const mcp::Result qp_result = solve_coulomb_by_qp(linear, tolerance, by_qp, qp_unknowns);
  if (qp_result.status != mcp::Status::kSolved && qp_result.residual >= result.residual) {
    return result;
  }
  solution = by_qp;
  unknowns = qp_unknowns;
  return qp_result;
}

mcp::Result solve_optimisation_step(const LinearStep& linear, double tolerance,
                                    StepSolution& solution, int& unknowns) {
  const mcp::Result result = solve_contact_qp(linear, tolerance, solution, unknowns);
  if (result.status == mcp::Status::kSolved) return result;
  StepSolution by_lemke;
  int lcp_unknowns = 0;
  const mcp::Result lcp_result =
      solve_contact_lcp(linear, FrictionLaw::kOptimisation, tolerance, by_lemke, lcp_unknowns);
  if (lcp_result.status != mcp::Status::kSolved) return result;
  solution = by_lemke;
  unknowns = lcp_unknowns;
  return lcp_result;
}

namespace {

/// Where the unknowns of a contact are; -1: it has none.
struct ContactColumns {
  int c_n = -1;
  int core = -1;
  int beta = -1;  ///< beta+, beta-, lambda
};

/// The mixed linear complementarity problem of the contacts `active`.
class ContactLcp {
 public:
  ContactLcp(const LinearStep& step, FrictionLaw law, const std::vector<bool>& active)
      : step_(step),
        law_(law),
        P_(step.scales.impulse_mn_s),
        size_(lay_out(active)),
        equations_(step, size_) {
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      if (contact_columns_[i].c_n >= 0) add_contact(step.contacts[i], contact_columns_[i]);
    }
    for (std::size_t i = 0; i < step.tables.size(); ++i) {
      add_table(step.tables[i], table_columns_[i]);
    }
  }

  [[nodiscard]] int size() const { return size_; }

  mcp::Result solve(double tolerance, StepSolution& solution) const {
    mcp::LemkeOptions options;
    options.tolerance = tolerance;
    Eigen::VectorXd z;
    const mcp::Result result = mcp::lemke(equations_.linear, options, z);
    read(z, solution);
    return result;
  }

 private:
  /// Returns the number of unknowns.
  int lay_out(const std::vector<bool>& active) {
    int size = LinearStepEquations::first_own(step_);
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      ContactColumns columns;
      if (active[i]) {
        columns.c_n = size++;
        if (step_.contacts[i].is_soft) columns.core = size++;
        if (step_.contacts[i].mu > 0.0) {
          columns.beta = size;
          size += 3;
        }
      }
      contact_columns_.push_back(columns);
    }
    for (const LinearTable& table : step_.tables) {
      table_columns_.push_back(size);
      size += static_cast<int>(table.rows.size()) + 1;
    }
    return size;
  }

  void add_contact(const LinearContact& contact, const ContactColumns& columns) {
    equations_.add_force(contact.normal, 1.0, columns.c_n);
    equations_.add_velocity(contact.normal, 1.0, contact.normal_rate + contact.layer_rate,
                            columns.c_n);
    equations_.add_compliance(contact.compliance, columns.c_n);
    if (columns.core >= 0) {
      equations_.add_force(contact.normal, 1.0, columns.core);
      equations_.add_velocity(contact.normal, 1.0, contact.normal_rate + contact.core_rate,
                              columns.core);
    }
    if (columns.beta < 0) return;
    Eigen::MatrixXd& M = equations_.linear.M;
    const int lambda = columns.beta + 2;
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1.0 : -1.0;
      equations_.add_force(contact.tangent, sign, columns.beta + side);
      equations_.add_velocity(contact.slip, sign, contact.slip_rate, columns.beta + side);
      M(columns.beta + side, lambda) = 1.0;
      M(lambda, columns.beta + side) = -1.0;
    }
    M(lambda, columns.c_n) = contact.mu;
    if (columns.core >= 0) M(lambda, columns.core) = contact.mu;
    if (law_ == FrictionLaw::kCoulomb) return;
    M(columns.c_n, lambda) = -contact.mu;
    if (columns.core >= 0) M(columns.core, lambda) = -contact.mu;
  }

  void add_table(const LinearTable& table, int column) {
    Eigen::MatrixXd& M = equations_.linear.M;
    const int lambda = column + static_cast<int>(table.rows.size());
    for (int k = 0; k + column < lambda; ++k) {
      equations_.add_force(table.rows[index(k)], 1.0, column + k);
      equations_.add_velocity(table.rows[index(k)], 1.0, 0.0, column + k);
      M(column + k, lambda) = 1.0;
      M(lambda, column + k) = -1.0;
    }
    equations_.linear.q[lambda] = table.limit_mn_s / P_;
  }

  void read(const Eigen::VectorXd& z, StepSolution& solution) const {
    equations_.read_motion(z, solution);
    for (std::size_t i = 0; i < contact_columns_.size(); ++i) {
      const ContactColumns& columns = contact_columns_[i];
      ContactImpulse& p = solution.contacts[i];
      p = {};
      if (columns.c_n < 0) continue;
      if (columns.core >= 0) p.p_core = P_ * z[columns.core];
      p.p_n = P_ * z[columns.c_n] + p.p_core;
      if (columns.beta >= 0) p.p_t = P_ * (z[columns.beta] - z[columns.beta + 1]);
    }
    for (std::size_t i = 0; i < table_columns_.size(); ++i) {
      solution.tables[i] = P_ * z.segment(table_columns_[i], solution.tables[i].size());
    }
  }

  const LinearStep& step_;
  FrictionLaw law_;
  double P_;
  std::vector<ContactColumns> contact_columns_;
  std::vector<int> table_columns_;
  int size_;
  LinearStepEquations equations_;
};

/// The smallest of a contact's `rate` for each pair of bodies, where that is less than `limit`.
template <typename Rate>
std::vector<int> smallest_of_pairs(const LinearStep& step, double limit, const Rate& rate) {
  std::map<std::pair<int, int>, std::pair<double, int>> smallest;
  for (int i = 0; i < static_cast<int>(step.contacts.size()); ++i) {
    const LinearContact& contact = step.contacts[index(i)];
    const double its_rate = rate(contact);
    if (!(its_rate < limit)) continue;
    const std::pair pair(contact.key.body_a, contact.key.body_b);
    const auto [at, is_new] = smallest.try_emplace(pair, its_rate, i);
    if (!is_new && its_rate < at->second.first) at->second = {its_rate, i};
  }
  std::vector<int> contacts;
  for (const auto& entry : smallest) contacts.push_back(entry.second.second);
  return contacts;
}

/// The contacts that touch where the step was linearised, and of each pair of bodies the one that
/// overlaps most there and the one that would in free motion.
std::vector<bool> first_contacts(const LinearStep& step) {
  constexpr double kTouching = 1e-6;  // relative to the scale of velocities
  const double slack = kTouching * step.scales.velocity_mm_s;
  const Eigen::VectorXd nu_free = free_motion(step).nu;
  std::vector<bool> active;
  for (const LinearContact& contact : step.contacts) {
    active.push_back(std::abs(contact.closed_rate + contact.layer_rate) <= slack);
  }
  const auto closed = [](const LinearContact& c) { return c.closed_rate + c.layer_rate; };
  for (const int i : smallest_of_pairs(step, slack, closed)) active[index(i)] = true;
  const auto free = [&](const LinearContact& c) { return c.gap_rate(nu_free) + c.layer_rate; };
  for (const int i : smallest_of_pairs(step, slack, free)) active[index(i)] = true;
  return active;
}

/// Takes in the contact of each pair of bodies that a solution violates most. False when no contact
/// is violated.
bool take_in_violated(const LinearStep& step, FrictionLaw law, double tolerance,
                      const Eigen::VectorXd& nu, std::vector<bool>& active) {
  const auto left_out = [&](const LinearContact& c) {
    const bool is_active = active[static_cast<std::size_t>(&c - step.contacts.data())];
    const double lift = law == FrictionLaw::kCoulomb ? 0.0 : c.mu * std::abs(c.slip_at(nu));
    return is_active ? 0.0 : c.gap_rate(nu) + c.layer_rate - lift;
  };
  const double limit = -tolerance * step.scales.velocity_mm_s;
  const std::vector<int> violated = smallest_of_pairs(step, limit, left_out);
  for (const int i : violated) active[index(i)] = true;
  return !violated.empty();
}

}  // namespace

mcp::Result solve_contact_lcp(const LinearStep& step, FrictionLaw law, double tolerance,
                              StepSolution& solution, int& unknowns) {
  std::vector<bool> active = first_contacts(step);
  mcp::Result result;
  // Each round takes in at least one more contact.
  do {
    solution = free_motion(step);
    const ContactLcp lcp(step, law, active);
    unknowns = lcp.size();
    result = lcp.solve(tolerance, solution);
  } while (result.status == mcp::Status::kSolved &&
           take_in_violated(step, law, tolerance, solution.nu, active));
  return result;
}

namespace {

constexpr int kMaxPrograms = 200;
constexpr int kFreePrograms = 40;

/// Where the rows of a contact begin: (n + mu t), (n - mu t), or n alone without friction; for the
/// layer of a soft contact, then for its core.
struct ContactPlace {
  int row = 0;
  int sides = 1;
  int slack = -1;  ///< the variable of a soft layer's compliance
};

/// The slip multipliers from one program to the next, mm/s.
struct SlipMultipliers {
  Eigen::VectorXd contacts;  ///< the gaps are larger by mu times these; zero in (2.10)
  Eigen::VectorXd tables;    ///< proximal points
};

/// The program of a step. Velocities are in units of LinearStep::velocity_scale, so that the mass
/// matrix is the identity; multipliers in that of impulses. A soft layer's compliance c is a
/// variable s of mass 1/c in its rows, so that s = c p. A table's slip multiplier lambda has the
/// cost h limit lambda and rows d_k . nu + lambda >= 0.
class ContactQp {
 public:
  explicit ContactQp(const LinearStep& step)
      : step_(step), V_(step.scales.velocity_mm_s), P_(step.scales.impulse_mn_s) {
    variables_ = step.velocities();
    for (const LinearContact& contact : step.contacts) {
      ContactPlace place{rows_, contact.mu > 0.0 ? 2 : 1, -1};
      if (contact.is_soft) place.slack = variables_++;
      rows_ += place.sides * (contact.is_soft ? 2 : 1);
      contacts_.push_back(place);
    }
    for (const LinearTable& table : step.tables) {
      tables_.push_back({rows_, static_cast<int>(table.rows.size()), variables_++});
      rows_ += static_cast<int>(table.rows.size());
    }
    set_costs();
    set_rows();
    set_pins();
  }

  [[nodiscard]] int size() const { return variables_ + rows_ + static_cast<int>(qp_.e.size()); }

  mcp::Result solve(const SlipMultipliers& slip, double tolerance, StepSolution& solution) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) set_contact_rates(i, slip);
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const double proximal = kTableMass * slip.tables[static_cast<int>(i)] / V_;
      qp_.c[tables_[i].slack] = proximal - step_.tables[i].limit_mn_s / P_;
    }
    mcp::ConvexQpOptions options;
    options.tolerance = tolerance;
    mcp::ConvexQpPoint point;
    const mcp::Result result = mcp::solve_convex_qp(qp_, options, point);
    if (point.v.size() > 0) read(point, solution);  // none where the program is not finite
    return result;
  }

  /// The slip multipliers of a table in the last solution.
  [[nodiscard]] const Eigen::VectorXd& table_slip() const { return table_slip_; }

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;
  static constexpr double kTableMass = 0.01;  // of the proximal term, relative to the heaviest body

  void set_costs() {
    qp_.M = Eigen::VectorXd::Ones(variables_);
    qp_.c = Eigen::VectorXd::Zero(variables_);
    for (int i = 0; i < step_.velocities(); ++i) {
      qp_.c[i] = step_.momentum[i] / (step_.inertia[i] * step_.velocity_scale(i));
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (contacts_[i].slack < 0) continue;
      qp_.M[contacts_[i].slack] = V_ / (step_.contacts[i].compliance * P_);
    }
    for (const ContactPlace& table : tables_) qp_.M[table.slack] = kTableMass;
  }

  void add_row(const GeneralizedRow& row, double factor, int at, Triplets& entries) const {
    for (std::size_t k = 0; k < index(row.size); ++k) {
      const int i = row.index[k];
      entries.emplace_back(at, i, factor * row.value[k] * step_.velocity_scale(i) / V_);
    }
  }

  void set_rows() {
    Triplets entries;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ContactPlace& place = contacts_[i];
      const LinearContact& contact = step_.contacts[i];
      for (int row = 0; row < place.sides * (contact.is_soft ? 2 : 1); ++row) {
        add_row(contact.normal, 1.0, place.row + row, entries);
        add_row(contact.tangent, side(row, place) * contact.mu, place.row + row, entries);
        const bool of_layer = contact.is_soft && row < place.sides;
        if (of_layer) entries.emplace_back(place.row + row, place.slack, 1.0);
      }
    }
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      for (int k = 0; k < tables_[i].sides; ++k) {
        add_row(step_.tables[i].rows[index(k)], 1.0, tables_[i].row + k, entries);
        entries.emplace_back(tables_[i].row + k, tables_[i].slack, 1.0);
      }
    }
    qp_.A.resize(rows_, variables_);
    qp_.A.setFromTriplets(entries.begin(), entries.end());
    qp_.b = Eigen::VectorXd::Zero(rows_);
  }

  void set_pins() {
    const int rows = 2 * static_cast<int>(step_.pins.size());
    Triplets entries;
    qp_.e.resize(rows);
    for (int row = 0; row < rows; ++row) {
      const LinearPin& pin = step_.pins[index(row / 2)];
      add_row(pin.rows[index(row % 2)], 1.0, row, entries);
      qp_.e[row] = pin.rate[row % 2] / V_;
    }
    qp_.E.resize(rows, variables_);
    qp_.E.setFromTriplets(entries.begin(), entries.end());
  }

  static double side(int row, const ContactPlace& place) {
    return place.sides == 1 || row % 2 == 0 ? 1.0 : -1.0;
  }

  void set_contact_rates(std::size_t i, const SlipMultipliers& slip) {
    const ContactPlace& place = contacts_[i];
    const LinearContact& contact = step_.contacts[i];
    const double lift = contact.mu * slip.contacts[static_cast<int>(i)];
    for (int row = 0; row < place.sides * (contact.is_soft ? 2 : 1); ++row) {
      const double depth = row < place.sides ? contact.layer_rate : contact.core_rate;
      const double along = side(row, place) * contact.mu * contact.slip_rate;
      qp_.b[place.row + row] = (contact.normal_rate + depth + along + lift) / V_;
    }
  }

  void read(const mcp::ConvexQpPoint& point, StepSolution& solution) {
    for (int i = 0; i < step_.velocities(); ++i) {
      solution.nu[i] = step_.velocity_scale(i) * point.v[i];
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ContactPlace& place = contacts_[i];
      const LinearContact& contact = step_.contacts[i];
      ContactImpulse& p = solution.contacts[i];
      p = {};
      for (int row = 0; row < place.sides * (contact.is_soft ? 2 : 1); ++row) {
        const double x = P_ * point.x[place.row + row];
        p.p_n += x;
        if (row >= place.sides) p.p_core += x;
        p.p_t += side(row, place) * contact.mu * x;
      }
    }
    for (std::size_t i = 0; i < solution.pins.size(); ++i) {
      solution.pins[i] = P_ * point.y.segment<2>(2 * static_cast<Eigen::Index>(i));
    }
    table_slip_.resize(static_cast<Eigen::Index>(tables_.size()));
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      solution.tables[i] = P_ * point.x.segment(tables_[i].row, tables_[i].sides);
      table_slip_[static_cast<Eigen::Index>(i)] = V_ * point.v[tables_[i].slack];
    }
  }

  const LinearStep& step_;
  double V_ = 1.0;
  double P_ = 1.0;
  int variables_ = 0;
  int rows_ = 0;
  std::vector<ContactPlace> contacts_;
  std::vector<ContactPlace> tables_;
  Eigen::VectorXd table_slip_;
  mcp::ConvexQp qp_;
};

/// Solves programs one after the other, each with the slip multipliers of the last one.
/// `is_last(program, qp, slip, result)` is called after each that is solved: false, with `slip` set
/// for the next one, or true.
template <typename IsLast>
mcp::Result solve_programs(const LinearStep& step, double tolerance, StepSolution& solution,
                           int& unknowns, const IsLast& is_last) {
  solution = free_motion(step);
  ContactQp qp(step);
  unknowns = qp.size();
  SlipMultipliers slip{Eigen::VectorXd::Zero(static_cast<Eigen::Index>(step.contacts.size())),
                       Eigen::VectorXd::Zero(static_cast<Eigen::Index>(step.tables.size()))};
  mcp::Result result;
  for (int program = 0; program < kMaxPrograms; ++program) {
    result = qp.solve(slip, tolerance, solution);
    if (result.status != mcp::Status::kSolved || is_last(program, qp, slip, result)) return result;
  }
  result.status = mcp::Status::kIterationLimit;
  return result;
}

}  // namespace

mcp::Result solve_contact_qp(const LinearStep& step, double tolerance, StepSolution& solution,
                             int& unknowns) {
  const auto is_last = [&](int, const ContactQp& qp, SlipMultipliers& slip, const mcp::Result&) {
    if (step.tables.empty()) return true;
    const double moved = (qp.table_slip() - slip.tables).cwiseAbs().maxCoeff();
    slip.tables = qp.table_slip();
    return moved <= tolerance * step.scales.velocity_mm_s;
  };
  return solve_programs(step, tolerance, solution, unknowns, is_last);
}

mcp::Result solve_coulomb_by_qp(const LinearStep& step, double tolerance, StepSolution& solution,
                                int& unknowns) {
  const auto is_last = [&](int program, const ContactQp& qp, SlipMultipliers& slip,
                           mcp::Result& result) {
    result.residual = solution_residual(step, solution).value;
    if (result.residual <= tolerance) return true;
    // Where it does not converge by itself, the iteration is averaged.
    const double share = program < kFreePrograms ? 1.0 : 0.5;
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      double& lambda = slip.contacts[static_cast<Eigen::Index>(i)];
      lambda += share * (std::abs(step.contacts[i].slip_at(solution.nu)) - lambda);
    }
    slip.tables = qp.table_slip();
    return false;
  };
  return solve_programs(step, 0.1 * tolerance, solution, unknowns, is_last);
}

}  // namespace graspmap
