// A difference as people and programs read it (docs/diff.md).
//
//   std::string text = format_diff(difference, Format::markdown, Look{});
//
// First the sentence that a reviewer needs, then a table of moves, most points first; further tables only where
// something is in them. CSV and `wide` hold every number that changes, a line each; JSON holds everything.
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

// On a page of others'.
void add_difference(Page& page, const diff::Difference& difference);

// Below the name of the cluster that it is of.
void add_cluster_difference(Page& page, const std::string& cluster, const diff::Difference& difference);

// As GitHub's runner shows them at lines of the newer file (github_annotations.hpp): the sentence at the first place
// that was edited, endpoints that come over capacity there too, lints that are gained at their own. None where nothing
// changes.
[[nodiscard]] std::string diff_annotations(const diff::Difference& difference, const Sources& after);

}  // namespace spillway::reports
