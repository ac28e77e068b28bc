#include "models/envoy/proxy/resources.hpp"

namespace spillway::proxy {
namespace {

std::optional<std::size_t> position_in(const std::unordered_map<std::string_view, std::size_t>& map,
                                       std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Index::Index(const Documents& documents) : documents_(documents), order_(documents.distinct_clusters()) {
  for (const std::size_t position : order_) {
    clusters_.emplace(documents.clusters[position].name, position);
  }
  for (std::size_t i = 0; i < documents.clusters.size(); ++i) {
    const std::size_t counted = clusters_.at(documents.clusters[i].name);
    if (counted != i && documents.clusters[i].standing == documents.clusters[counted].standing) {
      rivals_.emplace(counted, i);
    }
  }
  for (std::size_t i = 0; i < documents.load_assignments.size(); ++i) {
    const Resource& assignment = documents.load_assignments[i];
    const auto [known, fresh] = load_assignments_.emplace(assignment.name, i);
    if (!fresh && assignment.live && !documents.load_assignments[known->second].live) {
      known->second = i;
    }
  }
  for (std::size_t i = 0; i < documents.routes.size(); ++i) {
    routes_.emplace(documents.routes[i].name, i);
  }
}

std::optional<std::size_t> Index::cluster(std::string_view name) const {
  return position_in(clusters_, name);
}

std::optional<std::size_t> Index::rival(std::size_t cluster) const {
  const auto found = rivals_.find(cluster);
  return found == rivals_.end() ? std::nullopt : std::optional(found->second);
}

const Resource* Index::load_assignment(std::string_view name) const {
  const auto position = position_in(load_assignments_, name);
  return position ? &documents_.load_assignments[*position] : nullptr;
}

const Resource* Index::route_configuration(std::string_view name) const {
  const auto position = position_in(routes_, name);
  return position ? &documents_.routes[*position] : nullptr;
}

std::vector<std::string> Index::cluster_names() const {
  std::vector<std::string> names;
  names.reserve(order_.size());
  for (const std::size_t position : order_) {
    names.push_back(documents_.clusters[position].name);
  }
  return names;
}

const VirtualHosts& Index::virtual_hosts(const documents::Node& configuration) const {
  return virtual_hosts_.try_emplace(&configuration, configuration).first->second;
}

}  // namespace spillway::proxy
