// Formats a difference, for people and programs (docs/diff.md).
//
//   std::string text = format_diff(difference, Format::markdown, Look{});
//
// The output begins with the sentence that a reviewer needs, then a table of moves, most points first. Other tables
// appear only if they have rows. CSV and `wide` have one line per number that changes; JSON has everything.
#pragma once

#include <string>

#include "models/documents/source.hpp"
#include "reports/formats.hpp"

namespace spillway::diff {
struct Difference;  // difference.hpp
}  // namespace spillway::diff

namespace spillway::reports {

class Page;  // document.hpp

[[nodiscard]] std::string format_diff(const diff::Difference& difference, Format format, const Look& look);

// Adds the difference to a page that has other parts too.
void add_difference(Page& page, const diff::Difference& difference);

// Adds the difference below the name of its cluster.
void add_cluster_difference(Page& page, const std::string& cluster, const diff::Difference& difference);

// Formats the difference as annotations that GitHub shows at lines of the newer file (github_annotations.hpp). The
// sentence is at the first place that was edited, and so are endpoints that come over capacity. New lints are at their
// own lines. Empty if nothing changes.
[[nodiscard]] std::string diff_annotations(const diff::Difference& difference, const Sources& after);

}  // namespace spillway::reports
