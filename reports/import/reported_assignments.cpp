#include "reports/import/reported_assignments.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "models/documents/json_writer.hpp"
#include "models/documents/node_edit.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/plain_texts.hpp"
#include "models/envoy/proxy/unwrap.hpp"
#include "reports/import/reported_policy.hpp"

namespace spillway::reports {
namespace {

using documents::JsonText;

// True for texts that may be assignments. Other texts are not parsed twice.
bool may_be_assignments(const SourceFile& source) {
  const auto has = [&](std::string_view mark) { return source.text.find(mark) != std::string::npos; };
  return (has("lb_endpoints") || has("lbEndpoints")) && !has("load_assignment") && !has("loadAssignment") &&
         !has("static_resources") && !has("staticResources") && !has("ClustersConfigDump") &&
         !proxy::is_plain_text(source);
}

JsonText cluster_around(const proxy::Resource& assignment) {
  documents::Node message = *assignment.node;
  documents::erase(message, "@type");
  return cluster_of_assignment(assignment.name, JsonText::of(message));
}

}  // namespace

std::optional<ReportedDocuments> documents_of_assignments(Sources& sources, const std::string& chosen) {
  if (sources.empty() || !std::all_of(sources.begin(), sources.end(), may_be_assignments)) {
    return std::nullopt;
  }
  Sources own = sources;
  proxy::Documents read;
  proxy::Trees trees;
  Diagnostics problems;
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    auto all = documents::parse_documents(own, file, problems);
    for (std::size_t item = 0; all && item < all->items.size(); ++item) {
      trees.push_back(std::move(all->items[item]));
      proxy::unwrap(trees.back(), read, own, trees, problems);
    }
  }
  const bool alone = read.clusters.empty() && read.listeners.empty() && read.routes.empty();
  if (has_errors(problems) || read.load_assignments.empty() || !alone) {
    return std::nullopt;
  }
  const auto is_chosen = [&](const proxy::Resource& one) { return one.name == chosen; };
  if (std::any_of(read.load_assignments.begin(), read.load_assignments.end(), is_chosen)) {
    std::erase_if(read.load_assignments, [&](const proxy::Resource& one) { return !is_chosen(one); });
  }
  ReportedDocuments made;
  JsonText clusters = JsonText::array();
  std::set<std::string> names;
  for (const proxy::Resource& assignment : read.load_assignments) {
    if (names.insert(assignment.name).second) {
      clusters.push_back(cluster_around(assignment));
    }
  }
  made.text = documents::indented({{"static_resources", {{"clusters", clusters}}}}, 1) + "\n";
  made.assumed = policies_in_words({names.begin(), names.end()}, "no Cluster is in the documents");
  made.assumed.emplace_back(
      "weights of localities have no influence: a Cluster says whether they count (`locality_weighted_lb_config`)");
  return made;
}

}  // namespace spillway::reports
