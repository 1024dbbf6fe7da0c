#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/tolerances/tolerance_budget.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {
namespace {

std::string cost_text(const ToleranceBudget& budget, const std::optional<double>& cost) {
  if (!cost) return "not known";
  return fmt::format("{:.6g}{}{}", *cost, budget.costs.unit.empty() ? "" : " ", budget.costs.unit);
}

/// The input whose unit and measure the widths of a tolerance have.
const ToleranceInput& input_of(const ToleranceBudget& budget, std::size_t tolerance) {
  return budget.inputs[budget.costs.tolerances[tolerance].inputs.front()];
}

std::string points_text(const Estimate& difference) {
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", 100 * difference.value,
                     100 * difference.interval.low, 100 * difference.interval.high);
}

std::string search_text(const ToleranceBudget& budget) {
  if (budget.sets == 0) {
    return "Widths with a smooth cost were sought to about 5 %: a set that is a little cheaper may "
           "exist.\n";
  }
  if (budget.proven) {
    return fmt::format(
        "Every cheaper set of the {} that are offered falls short ({} were simulated, which "
        "decides all).\n",
        grouped(static_cast<std::int64_t>(budget.sets)), budget.tried);
  }
  return fmt::format(
      "Not all of the {} sets that are offered were decided ({} were simulated): a cheaper one may "
      "exist.\n",
      grouped(static_cast<std::int64_t>(budget.sets)), budget.tried);
}

/// What to ask for when the check does not promise the success: more, or more grasps.
std::string more_text(const ToleranceBudget& budget) {
  constexpr double kMargin = 1.2;
  constexpr double kMostCheckTrials = 1e7;
  const BudgetQuestion& question = budget.question;
  const Interval& interval = budget.chosen.interval;
  const double above = budget.chosen.success.share() - question.required;
  const double more = question.required + (question.required - interval.low);
  std::string text;
  if (more < 1) text = fmt::format("Ask for a little more: --required-probability {:.4g}.\n", more);
  if (!(above > 0)) return text;
  const double half = budget.chosen.success.share() - interval.low;
  const double trials =
      kMargin * static_cast<double>(question.check_trials) * (half / above) * (half / above);
  if (trials > kMostCheckTrials) return text;
  return text + fmt::format("Or check with more grasps: --check-trials {:.0f}.\n",
                            std::ceil(trials / 1000) * 1000);
}

std::string check_text(const ToleranceBudget& budget) {
  const BudgetQuestion& question = budget.question;
  const PricedSet& chosen = budget.chosen;
  return fmt::format("Checked by {} new grasps: {} succeed ({} interval {}).\n",
                     grouped(question.check_trials),
                     fine_percent(chosen.success.share(), chosen.interval),
                     given_percent(question.confidence), fine_percent_range(chosen.interval));
}

/// The answer in a sentence: promised, reached by the estimate only, or not.
std::string headline(const ToleranceBudget& budget) {
  const BudgetQuestion& question = budget.question;
  const std::string required = given_percent(question.required);
  const std::string where = aim_text(question.aim);
  const std::string cost = cost_text(budget, budget.chosen.cost());
  if (budget.chosen.interval.low >= question.required) {
    return fmt::format(
        "{} or more of the grasps at {} succeed for {}: the cheapest widths below.\n{}That is "
        "promised: the whole interval lies above.\n",
        required, where, cost, check_text(budget));
  }
  const bool reached = budget.chosen.success.share() >= question.required;
  return fmt::format(
             "{} of the grasps at {} are not promised{}.\n{}The widths below, for {}, {}.\n",
             required, where, reached ? ", and reached by the estimate only" : "",
             check_text(budget), cost,
             reached ? "are the cheapest that reach it by the estimate"
                     : "reach it in the search, and fall short in the check") +
         more_text(budget);
}

std::string equal_text(const ToleranceBudget& budget) {
  const std::optional<double> equal = budget.equal->cost();
  const std::optional<double> chosen = budget.chosen.cost();
  std::string text = fmt::format(
      "Equal shares of the money (the same amount for each tolerance) "
      "need {}",
      cost_text(budget, equal));
  if (*chosen > 0 && *equal > *chosen) {
    text += fmt::format(", {:.2f} times as much", *equal / *chosen);
  }
  return text + ".\n";
}

std::string today_text(const ToleranceBudget& budget) {
  const PricedSet& today = budget.today;
  return fmt::format("With today's tolerances, which cost {}, {} succeed.\n",
                     today.cost() ? cost_text(budget, today.cost()) : "a sum that is not known",
                     fine_percent(today.success.share(), today.interval));
}

std::string answer_text(const ToleranceBudget& budget) {
  const BudgetQuestion& question = budget.question;
  const std::string where = aim_text(question.aim);
  if (!budget.found) {
    return fmt::format(
               "No set of the widths that are offered lets {} of the grasps succeed at {}.\n"
               "The narrowest of all costs {}; with it {} succeed ({} interval {}, {} new "
               "grasps).\n",
               given_percent(question.required), where, cost_text(budget, budget.chosen.cost()),
               fine_percent(budget.chosen.success.share(), budget.chosen.interval),
               given_percent(question.confidence), fine_percent_range(budget.chosen.interval),
               grouped(question.check_trials)) +
           today_text(budget);
  }
  return headline(budget) + equal_text(budget) + today_text(budget) + search_text(budget);
}

/// The sets that a table shows, with their names.
std::vector<std::pair<const char*, const PricedSet*>> shown_sets(const ToleranceBudget& budget) {
  std::vector<std::pair<const char*, const PricedSet*>> sets{
      {"today", &budget.today}, {budget.found ? "cheapest" : "narrowest", &budget.chosen}};
  if (budget.equal) sets.emplace_back("equal shares", &*budget.equal);
  return sets;
}

/// What a width brings over today's; what is given away with a wider one is no offer.
std::string worth_text(const ToleranceBudget& budget, std::size_t k) {
  if (!budget.worth[k]) return "as today";
  const Estimate& worth = *budget.worth[k];
  if (worth.interval.low > 0) return points_text(worth);
  if (!(worth.interval.high < 0)) return "nothing beyond chance";
  const Estimate loss{-worth.value, {-worth.interval.high, -worth.interval.low}};
  return "gives away " + points_text(loss);
}

std::string widths_table(const ToleranceBudget& budget) {
  const auto sets = shown_sets(budget);
  std::vector<std::string> header{"tolerance"};
  for (const auto& [name, set] : sets) {
    header.emplace_back(name);
    header.emplace_back("cost");
  }
  header.emplace_back("worth, points");
  TextTable table(header);
  for (std::size_t k = 0; k < budget.costs.tolerances.size(); ++k) {
    std::vector<std::string> row{budget.costs.tolerances[k].name()};
    for (const auto& [name, set] : sets) {
      row.push_back(width_text(input_of(budget, k), set->widths[k]));
      row.push_back(set->costs[k] ? fmt::format("{:.6g}", *set->costs[k]) : "-");
    }
    row.push_back(worth_text(budget, k));
    table.add(row);
  }
  std::vector<std::string> sums{"sum"};
  std::vector<std::string> successes{"success"};
  for (const auto& [name, set] : sets) {
    sums.insert(sums.end(), {"", set->cost() ? fmt::format("{:.6g}", *set->cost()) : "-"});
    successes.insert(successes.end(), {fine_percent(set->success.share(), set->interval), ""});
  }
  sums.emplace_back("");
  successes.push_back(points_text(budget.gain));
  table.add(sums);
  table.add(successes);
  return table.text();
}

Object set_fields(const ToleranceBudget& budget, const PricedSet& set) {
  const auto width_fields = [&](std::size_t k) {
    return Object{{"keys", budget.costs.tolerances[k].keys},
                  {"width", set.widths[k]},
                  {"factor", set.widths[k] / input_of(budget, k).width, "of today's"},
                  {"cost", set.costs[k], "absent if not offered"}};
  };
  return {{"cost", set.cost()},
          {"success_probability", set.success.share()},
          {"interval", set.interval},
          {"trials", set.success.trials + set.success.failed},
          {"widths", list_of(row_numbers(set.widths.size()), width_fields)}};
}

Object gain_fields(const Estimate& gain) {
  return {{"success_probability", gain.value}, {"interval", gain.interval}};
}

}  // namespace

std::string budget_text(const ToleranceBudget& budget) {
  return answer_text(budget) + "\n" + widths_table(budget) +
         fmt::format(
             "± is the half width of a uniform distribution, σ a standard deviation. Worth: what\n"
             "success loses when this tolerance alone stays as it is today ({} interval;\n"
             "below, all of them). Gives away: what success would gain if it stayed.\n",
             given_percent(budget.question.confidence));
}

Object budget_fields(const ToleranceBudget& budget) {
  const BudgetQuestion& question = budget.question;
  Value::List worth;
  for (std::size_t k = 0; k < budget.worth.size(); ++k) {
    if (!budget.worth[k]) continue;
    worth.emplace_back(
        Object{{"keys", budget.costs.tolerances[k].keys}, gain_fields(*budget.worth[k])});
  }
  const auto fields_of = [&](const PricedSet& set) { return set_fields(budget, set); };
  return {{"name", budget.name},
          {"x_mm", question.aim.at[0]},
          {"y_mm", question.aim.at[1]},
          {"theta_rad", question.aim.at[2]},
          {"robot_sigma", question.aim.standard_deviations(), "mm, mm, rad"},
          {"required_probability", question.required},
          {"confidence", question.confidence},
          {"seed", question.seed},
          {"search_trials", question.trials},
          {"check_trials", question.check_trials},
          {"simulated_trials", budget.simulated, "grasps"},
          {"cost_unit", budget.costs.unit},
          {"found", budget.found, "a set reaches the requirement"},
          {"promised", budget.found && budget.chosen.interval.low >= question.required,
           "so does its interval's lower end in the check"},
          {"proven", budget.proven,
           "every cheaper set fell short in the search; false with smooth costs"},
          {"sets_tried", budget.tried, "sets of widths"},
          {"today", fields_of(budget.today)},
          {budget.found ? "cheapest" : "narrowest", fields_of(budget.chosen)},
          {"equal_shares", maybe(budget.equal, fields_of), "of the money"},
          {"gain", gain_fields(budget.gain), "of the cheapest over today, in pairs"},
          {"worth", worth, "success lost if it alone stays"}};
}

Table budget_table(const ToleranceBudget& budget) {
  Table table;
  for (std::size_t k = 0; k < budget.costs.tolerances.size(); ++k) {
    const ToleranceInput& input = input_of(budget, k);
    const Value width = budget.equal ? Value(budget.equal->widths[k]) : Value();
    const auto& worth = budget.worth[k];
    table.add({{"tolerance", budget.costs.tolerances[k].name()},
               {"measure", name(input.measure)},
               {"unit", input.unit},
               {"today_width", budget.today.widths[k]},
               {"today_cost", budget.today.costs[k]},
               {"width", budget.chosen.widths[k]},
               {"cost", budget.chosen.costs[k]},
               {"equal_shares_width", width},
               {"equal_shares_cost", budget.equal ? budget.equal->costs[k] : std::nullopt},
               {"worth", worth ? Value(worth->value) : Value()},
               {"worth_low", worth ? Value(worth->interval.low) : Value()},
               {"worth_high", worth ? Value(worth->interval.high) : Value()}});
  }
  return table;
}

Figure budget_figure(const ToleranceBudget& budget) {
  WidthFigureInput figure;
  figure.name = "tolerance_widths";
  figure.title = budget.title + ": widths for " + given_percent(budget.question.required) +
                 " success at " + aim_text(budget.question.aim);
  figure.first_title = budget.equal ? "equal shares: " + cost_text(budget, budget.equal->cost())
                                    : "today: " + cost_text(budget, budget.today.cost());
  figure.second_title =
      std::string(budget.found ? "cheapest: " : "narrowest, which falls short: ") +
      cost_text(budget, budget.chosen.cost());
  const PricedSet& first = budget.equal ? *budget.equal : budget.today;
  figure.subtitle = fmt::format(
      "success in {} new grasps: today {}, {} {}{}", grouped(budget.question.check_trials),
      fine_percent(budget.today.success.share(), budget.today.interval),
      budget.found ? "cheapest" : "narrowest",
      fine_percent(budget.chosen.success.share(), budget.chosen.interval),
      budget.equal ? ", equal shares " + fine_percent(first.success.share(), first.interval) : "");
  for (std::size_t k = 0; k < budget.costs.tolerances.size(); ++k) {
    const ToleranceInput& input = input_of(budget, k);
    figure.rows.push_back({budget.costs.tolerances[k].name(), first.widths[k] / input.width,
                           width_text(input, first.widths[k]),
                           budget.chosen.widths[k] / input.width,
                           width_text(input, budget.chosen.widths[k])});
  }
  return width_figure(figure);
}

}  // namespace graspmap
