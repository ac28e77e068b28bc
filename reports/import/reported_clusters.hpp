// Documents of Envoy from what a proxy reports about its endpoints: `/clusters`, as text or JSON, and `istioctl
// proxy-config endpoints`, as a table or JSON.
//
//   if (auto reported = documents_of_report(sources)) { reported->text; }   // a Bootstrap
//
// Addresses, weights, localities, priorities and health are reported; policies, and weights of localities, are not.
// `assumed` lists the defaults in their place. A host that is ejected or fails its checks is unhealthy. Linear.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::reports {

struct ReportedDocuments {
  std::string text = {};  // empty: `problems` says why
  std::vector<std::string> assumed = {};
  Diagnostics problems = {};
};

// Returns nullopt if a text is anything else. Problems have the places of the sources: those of /clusters, and SP697
// for a table that names no endpoints or has other columns. Only the cluster `chosen` is made, if there is one of this
// name.
[[nodiscard]] std::optional<ReportedDocuments> documents_of_report(Sources& sources, const std::string& chosen = {});

}  // namespace spillway::reports
