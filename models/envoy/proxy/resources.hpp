// Finds resources by name, and reads them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

// An index of the effective resources by name. Precondition: the documents outlive it.
class Index {
 public:
  explicit Index(const Documents& documents);

  [[nodiscard]] std::optional<std::size_t> cluster(std::string_view name) const;
  // Returns another cluster of the same name and Standing; nullopt if the name is unique.
  [[nodiscard]] std::optional<std::size_t> rival(std::size_t cluster) const;
  // Returns the load assignment of this `cluster_name`: the proxy's current one, else the first.
  [[nodiscard]] const Resource* load_assignment(std::string_view name) const;
  [[nodiscard]] const Resource* route_configuration(std::string_view name) const;
  // Returns the positions of clusters, each name once, in document order.
  [[nodiscard]] const std::vector<std::size_t>& clusters() const noexcept { return order_; }
  [[nodiscard]] std::vector<std::string> cluster_names() const;
  // Returns the index of a RouteConfiguration in these documents, or inside one of their listeners. Built at the first
  // call and cached, because many sample requests use the same virtual hosts. Not thread-safe.
  [[nodiscard]] const VirtualHosts& virtual_hosts(const documents::Node& configuration) const;

 private:
  const Documents& documents_;
  std::vector<std::size_t> order_;
  std::unordered_map<std::string_view, std::size_t> clusters_;
  std::unordered_map<std::string_view, std::size_t> load_assignments_;
  std::unordered_map<std::string_view, std::size_t> routes_;
  std::unordered_map<std::size_t, std::size_t> rivals_;
  mutable std::unordered_map<const documents::Node*, VirtualHosts> virtual_hosts_;
};

// Reads a resource as a T: the message itself, or one in a google.protobuf.Any.
template <class T>
void read_resource(const Resource& resource, T& into, std::string_view what, Diagnostics& problems) {
  if (resource.node->kind == documents::Kind::object && resource.node->find("@type") != nullptr) {
    messages::read_any({std::string(), resource.node}, into, problems);
  } else {
    grammar::Record<T>{}.read(*resource.node, into, what, problems);
  }
}

}  // namespace spillway::proxy
