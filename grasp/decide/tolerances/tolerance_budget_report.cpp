#include <fmt/format.h>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/json.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
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

std::string points_text(const Difference& difference) {
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", 100 * difference.estimate,
                     100 * difference.interval.low, 100 * difference.interval.high);
}

std::string search_text(const ToleranceBudget& budget) {
  if (budget.sets == 0) {
    return "Widths with a smooth cost were sought to about 5 %: a set that is a little cheaper may "
           "exist.\n";
  }
  if (budget.proven) {
    return fmt::format(
        "Every cheaper set of the {} that are offered falls short ({} were simulated, which tells "
        "of all).\n",
        grouped(static_cast<std::int64_t>(budget.sets)), budget.tried);
  }
  return fmt::format(
      "Not all of the {} sets that are offered were decided ({} were simulated): a cheaper one may "
      "exist.\n",
      grouped(static_cast<std::int64_t>(budget.sets)), budget.tried);
}

std::string check_text(const ToleranceBudget& budget) {
  const BudgetQuestion& question = budget.question;
  const PricedSet& chosen = budget.chosen;
  const double share = chosen.success.share();
  std::string text =
      fmt::format("Checked by {} new grasps: {} succeed ({:.6g} % interval {}).\n",
                  grouped(question.check_trials), fine_percent(share, chosen.interval),
                  100 * question.confidence, fine_percent_range(chosen.interval));
  if (chosen.interval.low >= question.required) {
    return text + fmt::format("The {} are promised: the whole interval lies above.\n",
                              given_percent(question.required));
  }
  if (share >= question.required) {
    return text + fmt::format(
                      "The {} are reached by the estimate, and not promised: the interval holds "
                      "less.\nAsk for a little more, or check with more grasps (--check-trials).\n",
                      given_percent(question.required));
  }
  return text +
         fmt::format("The {} are not promised: the check falls short. Ask for a little more.\n",
                     given_percent(question.required));
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
               "The narrowest of all costs {}; with it {} succeed ({:.6g} % interval {}, {} new "
               "grasps).\n",
               given_percent(question.required), where, cost_text(budget, budget.chosen.cost()),
               fine_percent(budget.chosen.success.share(), budget.chosen.interval),
               100 * question.confidence, fine_percent_range(budget.chosen.interval),
               grouped(question.check_trials)) +
           today_text(budget);
  }
  return fmt::format("{} or more of the grasps at {} succeed for {}: the cheapest widths below.\n",
                     given_percent(question.required), where,
                     cost_text(budget, budget.chosen.cost())) +
         check_text(budget) + equal_text(budget) + today_text(budget) + search_text(budget);
}

/// The sets that a table shows, with their names.
std::vector<std::pair<const char*, const PricedSet*>> shown_sets(const ToleranceBudget& budget) {
  std::vector<std::pair<const char*, const PricedSet*>> sets{
      {"today", &budget.today}, {budget.found ? "cheapest" : "narrowest", &budget.chosen}};
  if (budget.equal) sets.emplace_back("equal shares", &*budget.equal);
  return sets;
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
    row.push_back(budget.worth[k] ? points_text(*budget.worth[k]) : "as today");
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

void write_set(JsonWriter& json, const char* key, const ToleranceBudget& budget,
               const PricedSet& set) {
  json.object(key, [&] {
    json.field("cost", set.cost());
    json.field("success_probability", set.success.share());
    json.interval("interval", set.interval);
    json.field("trials", set.success.trials + set.success.failed);
    std::vector<std::size_t> places(set.widths.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    json.objects("widths", places, [&](std::size_t k) {
      json.array("keys", budget.costs.tolerances[k].keys);
      json.field("width", set.widths[k]);
      json.field("factor", set.widths[k] / input_of(budget, k).width);
      json.field("cost", set.costs[k]);
    });
  });
}

}  // namespace

std::string budget_text(const ToleranceBudget& budget) {
  return answer_text(budget) + "\n" + widths_table(budget) +
         fmt::format(
             "± is the half width of a uniform law, σ a standard deviation. Worth: what "
             "success loses when\nthis tolerance alone stays as it is today ({:.6g} % "
             "interval; below, all of them).\n",
             100 * budget.question.confidence);
}

std::string budget_json(const ToleranceBudget& budget) {
  const BudgetQuestion& question = budget.question;
  return json_document([&](JsonWriter& json) {
    json.field("name", budget.name);
    json.field("x_mm", question.aim.at[0]);
    json.field("y_mm", question.aim.at[1]);
    json.field("theta_rad", question.aim.at[2]);
    json.array("robot_sigma", question.aim.sigma);
    json.field("required_probability", question.required);
    json.field("confidence", question.confidence);
    json.field("seed", question.seed);
    json.field("search_trials", question.trials);
    json.field("check_trials", question.check_trials);
    json.field("simulated_trials", budget.simulated);
    json.field("cost_unit", budget.costs.unit);
    json.field("found", budget.found);
    json.field("promised", budget.found && budget.chosen.interval.low >= question.required);
    json.field("proven", budget.proven);
    json.field("sets_tried", budget.tried);
    write_set(json, "today", budget, budget.today);
    write_set(json, budget.found ? "cheapest" : "narrowest", budget, budget.chosen);
    if (budget.equal) write_set(json, "equal_shares", budget, *budget.equal);
    json.object("gain", [&] {
      json.field("success_probability", budget.gain.estimate);
      json.interval("interval", budget.gain.interval);
    });
    std::vector<std::size_t> changed;
    for (std::size_t k = 0; k < budget.worth.size(); ++k) {
      if (budget.worth[k]) changed.push_back(k);
    }
    json.objects("worth", changed, [&](std::size_t k) {
      json.array("keys", budget.costs.tolerances[k].keys);
      json.field("success_probability", budget.worth[k]->estimate);
      json.interval("interval", budget.worth[k]->interval);
    });
  });
}

std::string budget_csv(const ToleranceBudget& budget) {
  std::string csv =
      "tolerance,measure,unit,today_width,today_cost,width,cost,equal_shares_width,"
      "equal_shares_cost,worth,worth_low,worth_high\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format(",{}", *value) : std::string(",");
  };
  for (std::size_t k = 0; k < budget.costs.tolerances.size(); ++k) {
    const ToleranceInput& input = input_of(budget, k);
    append_csv_field(csv, budget.costs.tolerances[k].name());
    csv += fmt::format(",{},{},{}", name(input.measure), unit_of_key(input.key),
                       budget.today.widths[k]);
    csv += number(budget.today.costs[k]);
    csv += fmt::format(",{}", budget.chosen.widths[k]) + number(budget.chosen.costs[k]);
    csv += budget.equal
               ? fmt::format(",{}", budget.equal->widths[k]) + number(budget.equal->costs[k])
               : std::string(",,");
    const auto& worth = budget.worth[k];
    csv +=
        worth ? fmt::format(",{},{},{}", worth->estimate, worth->interval.low, worth->interval.high)
              : std::string(",,,");
    csv += "\n";
  }
  return csv;
}

Figure budget_figure(const ToleranceBudget& budget) {
  WidthFigureInput figure;
  figure.name = "tolerance_widths";
  figure.title = budget.name + ": widths for " + given_percent(budget.question.required) +
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
