#include "grasp/decide/support_fit/support_fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/io/json_document.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/sweep/config/scenario_write.hpp"

namespace graspmap {
namespace {

std::string percent_of(double confidence) { return fmt::format("{:.6g} %", 100.0 * confidence); }

std::string error_cell(const AngleErrors& errors) {
  return fmt::format("{:5.2f} ({:.2f} to {:.2f})", errors.mean, errors.interval.low,
                     errors.interval.high);
}

/// "friction.support" from the force of friction, or what it takes to know it.
std::string friction_text(const SupportFit& fit, const FittedSliding& model) {
  const Interval& force = model.force_interval;
  std::string text = fmt::format("friction force {:.4g} N ({:.4g} to {:.4g})", model.force_n,
                                 force.low, force.high);
  if (const auto& weight = fit.options.weight_n) {
    text += fmt::format("; friction.support = {:.4g} ({:.4g} to {:.4g})", model.force_n / *weight,
                        force.low / *weight, force.high / *weight);
  } else {
    text += "; over the part's weight it is friction.support: give --weight-n";
  }
  return text;
}

/// The models that are not behind the best by more than chance explains.
std::vector<const FittedSliding*> tied_models(const SupportFit& fit) {
  std::vector<const FittedSliding*> tied;
  for (std::size_t k = 1; k < fit.models.size(); ++k) {
    if (fit.models[k].behind_interval.low <= 0.0) tied.push_back(&fit.models[k]);
  }
  return tied;
}

/// The simplest of the best model and those that are tied with it.
const FittedSliding& chosen_model(const SupportFit& fit) {
  const FittedSliding* chosen = &fit.models.front();
  for (const FittedSliding* model : tied_models(fit)) {
    if (model->kind < chosen->kind) chosen = model;
  }
  return *chosen;
}

std::string verdict_text(const SupportFit& fit) {
  const FittedSliding& best = fit.models.front();
  std::string text = fmt::format(
      "{} explains the pushes best. Behind it, in degrees of the twist:\n", name(best.kind));
  for (std::size_t k = 1; k < fit.models.size(); ++k) {
    const FittedSliding& other = fit.models[k];
    text += fmt::format("  {:18} {:5.2f} ({:.2f} to {:.2f}){}\n", name(other.kind), other.behind,
                        other.behind_interval.low, other.behind_interval.high,
                        other.behind_interval.low > 0.0 ? ": more than chance explains"
                                                        : ": chance may explain it");
  }
  const auto tied = tied_models(fit);
  if (!tied.empty()) {
    text += "These pushes do not tell it apart from";
    for (std::size_t k = 0; k < tied.size(); ++k) {
      text += fmt::format("{} {}", k == 0 ? "" : ",", name(tied[k]->kind));
    }
    text += fmt::format(".\nThe simplest of them is {}.\n", name(chosen_model(fit).kind));
  }
  return text;
}

std::string parameters_text(const SupportFit& fit, const FittedSliding& model) {
  std::string text = fmt::format("Parameters of {}, with {} intervals:\n", name(model.kind),
                                 percent_of(fit.options.confidence));
  for (const FittedNumber& number : model.parameters) {
    if (model.kind == SlidingKind::kGrid && number.value <= 1e-6) continue;
    text += model.kind == SlidingKind::kPointsByStatics
                ? fmt::format("  {:14} {:8.4f} (by statics)\n", number.name, number.value)
                : fmt::format("  {:14} {:8.4f} ({:.4f} to {:.4f})\n", number.name, number.value,
                              number.interval.low, number.interval.high);
  }
  return text;
}

}  // namespace

std::string support_fit_text(const SupportFit& fit) {
  std::string text =
      fmt::format("{}: {} rows of {} pushes, {}\n", fit.file, fit.rows, fit.groups, fit.origin);
  text += fmt::format("Angles: moments are divided, and rates of turn multiplied, by {:.4g} mm.\n",
                      fit.length_mm);
  if (fit.against_force > 0) {
    text += fmt::format(
        "Note: in {} rows the part moves against the force (wrench . twist <= 0); check signs and\n"
        "frames if these are many.\n",
        fit.against_force);
  }
  text += fmt::format(
      "\nErrors on pushes that a fit has not seen ({} folds): mean angle, degrees, with {} "
      "intervals.\n  {:18} {:24} {}\n",
      fit.options.folds, percent_of(fit.options.confidence), "model", "twist from wrench",
      "wrench from twist");
  for (const FittedSliding& model : fit.models) {
    text += fmt::format("  {:18} {:24} {}\n", name(model.kind), error_cell(model.twist),
                        error_cell(model.wrench));
  }
  const FittedSliding& best = chosen_model(fit);
  return fmt::format("{}\n{}\n{}\nFor a configuration:\n\n{}", text, verdict_text(fit),
                     parameters_text(fit, best), support_fit_toml(fit));
}

std::string support_fit_toml(const SupportFit& fit) {
  const FittedSliding& best = chosen_model(fit);
  std::string text = fmt::format("# {} from {} ({})\n# {}\n", name(best.kind), printable(fit.file),
                                 fit.origin, friction_text(fit, best));
  if (best.points_left_out > 0) {
    text += fmt::format("# the {} smallest loads of the grid are left out\n", best.points_left_out);
  }
  return text + support_table(best.support);
}

std::string support_fit_json(const SupportFit& fit) {
  return json_document([&](JsonWriter& json) {
    json.field("file", fit.file);
    json.field("origin", fit.origin);
    json.field("source", fit.source);
    json.field("rows", static_cast<std::int64_t>(fit.rows));
    json.field("pushes", static_cast<std::int64_t>(fit.groups));
    json.field("rows_against_force", static_cast<std::int64_t>(fit.against_force));
    json.field("length_mm", fit.length_mm);
    json.field("folds", fit.options.folds);
    json.field("resamples", fit.options.resamples);
    json.field("confidence", fit.options.confidence);
    json.field("weight_n", fit.options.weight_n);
    json.field("best", name(fit.models.front().kind));
    json.field("simplest_not_told_apart", name(chosen_model(fit).kind));
    json.objects("models", fit.models, [&](const FittedSliding& model) {
      json.field("model", name(model.kind));
      json.field("twist_error_deg", model.twist.mean);
      json.interval("twist_error_deg_interval", model.twist.interval);
      json.field("wrench_error_deg", model.wrench.mean);
      json.interval("wrench_error_deg_interval", model.wrench.interval);
      json.field("behind_best_deg", model.behind);
      json.interval("behind_best_deg_interval", model.behind_interval);
      json.field("friction_force_n", model.force_n);
      json.interval("friction_force_n_interval", model.force_interval);
      json.objects("parameters", model.parameters, [&](const FittedNumber& number) {
        json.field("name", number.name);
        json.field("value", number.value);
        json.interval("interval", number.interval);
      });
      json.field("support_toml", support_table(model.support));
    });
  });
}

std::string support_fit_csv(const SupportFit& fit) {
  std::string text = "row,push,model,twist_error_deg,wrench_error_deg\n";
  for (const FittedSliding& model : fit.models) {
    for (std::size_t i = 0; i < fit.rows; ++i) {
      text += fmt::format("{},{},{},{},{}\n", i + 1, fit.scaled[i].group + 1, name(model.kind),
                          model.twist.of_row[i], model.wrench.of_row[i]);
    }
  }
  return text;
}

}  // namespace graspmap
