// Turns an explanation into a document (reports/document), described in docs/output.md and pinned by golden files.
#pragma once

#include <string>
#include <vector>

#include "reports/explain/explanation.hpp"
#include "reports/formats.hpp"

namespace spillway::reports {
class Page;  // document.hpp
}  // namespace spillway::reports

namespace spillway::reports::explain {

// Returns the formats of explanations: "table", "markdown", "json".
[[nodiscard]] const std::vector<std::string>& explanation_format_names();

// Formats an explanation, with a final newline. Precondition: `format` is table, markdown or json.
[[nodiscard]] std::string format_explanation(const Explanation& explanation, Format format, const Look& look);

// add_columns() adds the steps below the headline, in columns next to their names; add_tables() adds one table per
// section.
void add_columns(Page& page, const Explanation& explanation);
void add_tables(Page& page, const Explanation& explanation);
[[nodiscard]] std::string explanation_as_json(const Explanation& explanation);

// Parts that the formats share.

// Returns "frontend in zone-1 asks for backend at 25 s".
[[nodiscard]] std::string headline(const Explanation& explanation);

// Returns "P0 min(100, trunc(140 * 6 / 10)) = 84, by weights".
[[nodiscard]] std::string fact_text(const Fact& fact);

// Returns "cluster primary, 60 % of the requests"; empty for the only section.
[[nodiscard]] std::string section_title(const Explanation& explanation, const Section& section);

// Endpoints of one cluster, priority, list, zone and path, with their joint share.
struct ShareLine {
  std::string place;            // "P1 zone-2, degraded"
  std::optional<double> share;  // nullopt if not exact
  std::string endpoints;        // "10 endpoints via ingress-zone-2, 4 % each"
};
[[nodiscard]] std::vector<ShareLine> share_lines(const Explanation& explanation);

// Returns "40 %", or "?" if the share is unknown.
[[nodiscard]] std::string share_text(const std::optional<double>& share);

// Returns "zone-2 gets 40 %."
[[nodiscard]] std::string why_headline(const Why& why);

// Returns "healthy hosts of P0, 6 of 10 now: at 10 of 10 nothing goes there; at 9 of 10 it gets 10 %".
[[nodiscard]] std::string turn_text(const Why& why, const Why::Turn& turn);

}  // namespace spillway::reports::explain
