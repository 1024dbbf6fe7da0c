#include "grasp/decide/tolerances/lots_report.hpp"

#include <fmt/format.h>

#include "grasp/base/io/text_table.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/decide/tolerances/width_limits_report.hpp"

namespace graspmap {
namespace {

std::string row_text(const LotNumber& number) {
  return percent_text(number.value, number.interval);
}

void write_number(JsonWriter& json, const char* key, const LotNumber& number) {
  json.object(key, [&] {
    json.field("value", number.value);
    json.interval("interval", number.interval);
  });
}

}  // namespace

std::string lots_text(const LotSuccess& lots) {
  const LotQuestion& question = lots.question;
  TextTable table({fmt::format("at {}", aim_text(question.aim)), "success",
                   fmt::format("{:.6g} % interval", 100 * question.confidence)});
  const auto row = [&](const std::string& what, const LotNumber& number) {
    table.add({what, row_text(number), ends_text(number.interval)});
  };
  row("the next part, of any lot", lots.part);
  row("the next lot: half of the lots have more", lots.median);
  row("the next lot: 95 % of the lots have more", lots.fifth_percentile);
  if (lots.reaching) {
    row(fmt::format("share of the lots with {:.6g} % or more", 100 * *question.required),
        *lots.reaching);
  }
  return fmt::format(
             "The next part and the next lot differ: the success of lots has a standard "
             "deviation of {:.2f} points\n({} lots of {} parts were simulated; their "
             "parts' chance is taken out).\n\n",
             100 * lots.lot_sigma, grouped(question.lots), grouped(question.parts)) +
         table.text();
}

void write_lots(JsonWriter& json, const LotSuccess& lots) {
  const LotQuestion& question = lots.question;
  json.field("x_mm", question.aim.at[0]);
  json.field("y_mm", question.aim.at[1]);
  if (!question.aim.fixed_angle) json.field("theta_rad", question.aim.at[2]);
  json.field("simulated_lots", question.lots);
  json.field("parts_of_each", question.parts);
  json.field("lot_sigma", lots.lot_sigma);
  write_number(json, "next_part", lots.part);
  write_number(json, "median", lots.median);
  write_number(json, "fifth_percentile", lots.fifth_percentile);
  if (lots.reaching) write_number(json, "share_that_reaches", *lots.reaching);
}

}  // namespace graspmap
