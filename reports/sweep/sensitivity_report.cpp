#include "reports/sweep/sensitivity_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "models/config/metadata.hpp"
#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/sweep/show.hpp"
#include "reports/text/json_text.hpp"
#include "sim/sweep/sensitivity.hpp"

namespace spillway::reports {
namespace {

using sweep::Sensitivity;

std::string bar_of(double effect, double largest) {
  constexpr double cells = 30.0;
  const double part = largest > 0.0 ? std::clamp(effect / largest, 0.0, 1.0) : 0.0;
  return std::string(static_cast<std::size_t>(std::lround(part * cells)), '#');
}

Sheet rows_of_keys(const Sensitivity& found, bool for_people) {
  const bool morris = found.design == sweep::Design::morris;
  Sheet sheet{"sensitivity",
              {{"key"},
               {morris ? "mean_effect" : "total_index", true},
               {"half_width", true},
               {morris ? "deviation" : "first_index", true}},
              {}};
  if (for_people) {
    sheet.fields = {
        {"key"}, {morris ? "mean effect" : "total index", true}, {morris ? "deviation" : "first index", true}, {""}};
  }
  const double largest = found.keys.empty() ? 0.0 : found.keys.front().effect;
  for (const sweep::KeySensitivity& key : found.keys) {
    const auto text = [&](double value) {
      return morris ? sweep_figure_text(found.figure, value) : fmt::format("{:.2f}", value);
    };
    if (for_people) {
      const std::string second = text(key.second) + (morris ? "" : " ±" + text(key.second_half_width));
      sheet.rows.push_back(
          {key.name, text(key.effect) + " ±" + text(key.half_width), second, bar_of(key.effect, largest)});
    } else {
      sheet.rows.push_back(
          {key.name, fmt::format("{}", key.effect), fmt::format("{}", key.half_width), fmt::format("{}", key.second)});
    }
  }
  return sheet;
}

std::string json_of(const Sensitivity& found) {
  const bool morris = found.design == sweep::Design::morris;
  const auto key_json = [&](const sweep::KeySensitivity& key) -> documents::JsonText {
    return {{"key", key.name},
            {morris ? "mean_effect" : "total_index", key.effect},
            {"half_width", key.half_width},
            {morris ? "deviation" : "first_index", key.second}};
  };
  const documents::JsonText json = {{"schema_version", 1},
                                    {"figure", found.figure.name},
                                    {"design", sweep::design_names()[static_cast<std::size_t>(found.design)]},
                                    {"samples", found.samples},
                                    {"keys", json_array(found.keys, key_json)}};
  return json_lines(json.text());
}

std::string title_of(const Sensitivity& found) {
  return found.design == sweep::Design::morris
             ? fmt::format("change of {} over the whole range of a key, {} ways", found.figure.name, found.samples)
             : fmt::format("part of the variance of {} that a key has, {} base points", found.figure.name,
                           found.samples);
}

}  // namespace

std::string format_sensitivity(const Sensitivity& found, Format format, const Look& look) {
  const auto page = [&](Page& whole) {
    whole.on(Medium::terminal).paragraph({title_of(found)}, 1);
    whole.sheet(rows_of_keys(found, true));
    whole.on(Medium::markup).paragraph({title_of(found)});
  };
  return reports::format({.page = page,
                          .records = [&] { return rows_of_keys(found, false); },
                          .wide = page,
                          .json = [&](const Sink& sink) { sink(json_of(found)); }},
                         format, look);
}

}  // namespace spillway::reports
