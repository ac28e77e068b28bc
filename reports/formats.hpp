// Results in, documents out: one function a format, each described in docs/output.md and pinned by golden files.
//
//   Report report{scenario, results};
//   std::string text = format(report, Format::table, default_dimensions(Format::table, scenario), Look{});
//
// Every format ends with a newline and depends on nothing but its arguments: the same bytes for any locale and
// compiler.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/expectations/verdict.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/sink.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {

enum class Format { table, wide, markdown, csv, json };

// "table", "wide", "markdown", "csv", "json", in this order.
[[nodiscard]] const std::vector<std::string>& format_names();
[[nodiscard]] std::optional<Format> format_of(std::string_view name);

// Everything for those that programs read and for `wide`; client, priority and zone for the others, and cluster where
// there is an aggregate.
[[nodiscard]] Dimensions default_dimensions(Format format, const scenario::Scenario& scenario);

// What a report is about: the shares of clients, what endpoints had to do by epoch or sample, what went from zone to
// zone, what proxies did and found out, what became of requests. JSON always holds all of it.
enum class Show { shares, endpoints, samples, cross_zone, happenings, requests };

// "shares", "endpoints", "samples", "cross_zone", "happenings", "requests", in this order.
[[nodiscard]] const std::vector<std::string>& show_names();
[[nodiscard]] std::optional<Show> show_of(std::string_view name);

struct Report {
  const scenario::Scenario& scenario;
  const run::Results& results;
  std::vector<std::string> warnings;  // "warning[SP231]: failoverThreshold 70 acts as 100"
  Verdicts verdicts;                  // empty: nothing is said of expectations
  std::vector<std::string> failures;  // of the verdicts, a line each
  Show show = Show::shares;
  bool each_happening = false;  // one by one instead of alike ones together
  // The same run with rows that begin at further moments, which are shown instead of the epochs, and in JSON beside
  // them; null: none. Expectations, tables of documents and the summary are about `results`.
  const run::Results* slices = nullptr;
  bool joins_alike_rows = false;  // neighbours in which every printed figure is alike are one row of a table
};

// Whose rows are shown.
[[nodiscard]] inline const run::Results& shown_rows(const Report& report) {
  return report.slices != nullptr ? *report.slices : report.results;
}

// `table` and `markdown` show the warnings and verdicts; the others leave them to the caller.
[[nodiscard]] bool shows_verdicts(Format format);

[[nodiscard]] std::string format(const Report& report, Format format, const Dimensions& by, const Look& look);

// The same, piece by piece while it is made, so that what is long never stands in memory as a whole.
void write(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink);

void write_table(const Report& report, const Dimensions& by, const Look& look, const Sink& sink);
void write_markdown(const Report& report, const Dimensions& by, const Sink& sink);
void write_wide(const Report& report, const Dimensions& by, const Sink& sink);
void write_csv(const Report& report, const Dimensions& by, const Sink& sink);
void write_json(const Report& report, const Dimensions& by, const Sink& sink);

}  // namespace spillway::reports
