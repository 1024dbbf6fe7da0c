#include "lab/planar/linear/contact_lcp.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "lab/mcp/lemke.hpp"
#include "lab/planar/linear/step_equations.hpp"

namespace graspmap {
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
    int size = StepEquations::first_own(step_);
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
  StepEquations equations_;
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

/// Takes in the contact of each pair of bodies that a solution violates most. False when there is
/// none.
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

}  // namespace graspmap
