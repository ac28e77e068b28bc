#include "cli/proxy_documents.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "sim/scenario/document/parse.hpp"
#include "sim/scenario/envoy/read_envoy_documents.hpp"

namespace spillway::cli {
namespace {

bool is_unknown_cluster(const scenario::Reading& reading) {
  return !reading.scenario && std::any_of(reading.diagnostics.begin(), reading.diagnostics.end(),
                                          [](const auto& problem) { return problem.code == "SP103"; });
}

}  // namespace

ProxyDocuments::ProxyDocuments(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    auto source = scenario::document::load_source(path, static_cast<std::uint32_t>(sources_.size()), problems_);
    sources_.push_back(source ? std::move(*source) : scenario::SourceFile{path, ""});
  }
}

std::vector<std::string> ProxyDocuments::names(const std::optional<std::string>& asked,
                                               const std::optional<observed::Clusters>& told) const {
  if (asked) {
    return {*asked};
  }
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const observed::Cluster& cluster : told ? told->clusters : std::vector<observed::Cluster>{}) {
    if (known.insert(cluster.name).second && !is_unknown_cluster(read(cluster.name))) {
      names.push_back(cluster.name);
    }
  }
  return names;
}

scenario::Reading ProxyDocuments::read(const std::string& cluster) const {
  return scenario::read_envoy_texts(sources_, {.cluster = cluster});
}

}  // namespace spillway::cli
