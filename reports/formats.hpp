// Turns results into a document (reports/document), described in docs/output.md and pinned by golden files.
//
//   Report report{scenario, results};
//   std::string text = format(report, Format::table, default_dimensions(Format::table, scenario), Look{});
//
// Every format ends with a newline and depends on nothing but its arguments: output is byte-identical for any locale
// and compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/formats.hpp"
#include "reports/expectations/verdict.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Dimensions;  // group_by.hpp
struct Document;   // document.hpp

// Returns all dimensions for `wide` and the formats that programs read. The other formats get client, priority and
// zone, and cluster if there is an aggregate or a route divides a service's requests between clusters in one zone.
[[nodiscard]] Dimensions default_dimensions(Format format, const scenario::Scenario& scenario);

// The subject of a report: shares of clients, loads of endpoints by epoch or sample, requests between zones, events, or
// outcomes of requests. JSON always holds all of them.
enum class Show { shares, endpoints, samples, cross_zone, logged_events, requests };

// Returns "shares", "endpoints", "samples", "cross_zone", "events", "requests", in this order.
[[nodiscard]] const std::vector<std::string>& show_names();
// Returns the part with this name. Also accepts "happenings", the former name of events.
[[nodiscard]] std::optional<Show> show_of(std::string_view name);

struct Report {
  const scenario::Scenario& scenario;
  const run::Results& results;
  std::vector<std::string> warnings;  // "warning[SP231]: failoverThreshold 70 acts as 100"
  Verdicts verdicts;                  // empty if expectations are not reported
  std::vector<std::string> failures;  // of the verdicts, one line each
  Show show = Show::shares;
  bool each_event = false;  // one row per event instead of merging similar ones
  // The run with rows that begin at more times, which are shown instead of the epochs, and in JSON in addition to them;
  // null if there are none. Expectations, tables of documents and the summary use `results`.
  const run::Results* slices = nullptr;
  bool sampled = false;           // endpoints were sampled, even if none got a request
  bool joins_alike_rows = false;  // neighbours with identical printed figures become one row
};

// Returns the results whose rows are shown.
[[nodiscard]] inline const run::Results& shown_rows(const Report& report) {
  return report.slices != nullptr ? *report.slices : report.results;
}

// Returns the document selected by `report.show`. Lifetime: it keeps references to its arguments.
[[nodiscard]] Document document_of(const Report& report, const Dimensions& by);

// Format the document. format() returns it as a whole; write() passes pieces on as they are made.
[[nodiscard]] std::string format(const Report& report, Format format, const Dimensions& by, const Look& look);
void write(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink);

// Writes the JSON of `document_of`.
void write_results_json(const Report& report, const Dimensions& by, const Sink& sink);
// Returns the JSON Schema of what write_results_json() writes.
[[nodiscard]] std::string results_schema();

}  // namespace spillway::reports
