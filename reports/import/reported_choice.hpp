// The choice of a cluster of a report, for commands that need one.
#pragma once

#include "models/documents/source.hpp"
#include "reports/import/reported_clusters.hpp"

namespace spillway::reports {

// If the report has several clusters, clears its text and adds SP135, where the first of them is named in the sources.
void require_choice(ReportedDocuments& reported, const Sources& sources);

}  // namespace spillway::reports
