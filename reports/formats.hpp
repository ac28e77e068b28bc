// Results in, a document out (reports/document), described in docs/output.md and pinned by golden files.
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

#include "reports/document/formats.hpp"
#include "reports/expectations/verdict.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

class Dimensions;  // group_by.hpp
struct Document;   // document.hpp

// Everything for those that programs read and for `wide`; client, priority and zone for the others, and cluster where
// there is an aggregate.
[[nodiscard]] Dimensions default_dimensions(Format format, const scenario::Scenario& scenario);

// What a report is about: the shares of clients, what endpoints had to do by epoch or sample, what went from zone to
// zone, what proxies did and found out, what became of requests. JSON always holds all of it.
enum class Show { shares, endpoints, samples, cross_zone, logged_events, requests };

// Returns "shares", "endpoints", "samples", "cross_zone", "events", "requests", in this order.
[[nodiscard]] const std::vector<std::string>& show_names();
// Returns the part of this name; "happenings", the former name of events, too.
[[nodiscard]] std::optional<Show> show_of(std::string_view name);

struct Report {
  const scenario::Scenario& scenario;
  const run::Results& results;
  std::vector<std::string> warnings;  // "warning[SP231]: failoverThreshold 70 acts as 100"
  Verdicts verdicts;                  // empty: nothing is said of expectations
  std::vector<std::string> failures;  // of the verdicts, a line each
  Show show = Show::shares;
  bool each_event = false;  // one by one instead of alike ones together
  // The same run with rows that begin at further moments, which are shown instead of the epochs, and in JSON beside
  // them; null: none. Expectations, tables of documents and the summary are about `results`.
  const run::Results* slices = nullptr;
  bool joins_alike_rows = false;  // neighbours in which every printed figure is alike are one row of a table
};

// Whose rows are shown.
[[nodiscard]] inline const run::Results& shown_rows(const Report& report) {
  return report.slices != nullptr ? *report.slices : report.results;
}

// What `report.show` says; it keeps references to its arguments.
[[nodiscard]] Document document_of(const Report& report, const Dimensions& by);

// The document as this format has it, as a whole or piece by piece while it is made.
[[nodiscard]] std::string format(const Report& report, Format format, const Dimensions& by, const Look& look);
void write(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink);

// For `document_of`.
void write_results_json(const Report& report, const Dimensions& by, const Sink& sink);

}  // namespace spillway::reports
