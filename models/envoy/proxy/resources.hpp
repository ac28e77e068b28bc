// Finding resources by name, and reading one of them.
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

// Which resource counts, by name. Keeps views into the documents, which must outlive it.
class Index {
 public:
  explicit Index(const Documents& documents);

  [[nodiscard]] std::optional<std::size_t> cluster(std::string_view name) const;
  // Another cluster of the same name and standing; none: the name is its own.
  [[nodiscard]] std::optional<std::size_t> rival(std::size_t cluster) const;
  // The load assignment of this `cluster_name`: as the proxy has it now, else the first one.
  [[nodiscard]] const Resource* load_assignment(std::string_view name) const;
  [[nodiscard]] const Resource* route_configuration(std::string_view name) const;
  // Positions of clusters, each name once, in the order of the documents.
  [[nodiscard]] const std::vector<std::size_t>& clusters() const noexcept { return order_; }
  [[nodiscard]] std::vector<std::string> cluster_names() const;
  // Of a RouteConfiguration of these documents, or one inside a listener of theirs. Made when it is first asked for,
  // since a proxy's thousand virtual hosts are asked a thousand times. Not for several threads at once.
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

// A resource as a T: the message itself, or the same in a google.protobuf.Any.
template <class T>
void read_resource(const Resource& resource, T& into, std::string_view what, Diagnostics& problems) {
  if (resource.node->kind == documents::Kind::object && resource.node->find("@type") != nullptr) {
    messages::read_any({std::string(), resource.node}, into, problems);
  } else {
    grammar::Record<T>{}.read(*resource.node, into, what, problems);
  }
}

}  // namespace spillway::proxy
