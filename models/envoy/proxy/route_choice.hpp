// Which route of a RouteConfiguration takes a request, as Envoy looks for it: the virtual host by its domains, then the
// first route that matches, or the one that its matcher tree leads to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

struct ChosenRoute {
  const documents::Node* configuration = nullptr;
  const documents::Node* virtual_host = nullptr;
  const documents::Node* route = nullptr;
  documents::Node match = {};               // RouteMatch, without what the request has been found to meet
  std::vector<std::string> loosened = {};  // keys of the conditions that `match` lacks, or has in a wider form
};

// The virtual hosts of a RouteConfiguration by their domains. Does not outlive the configuration.
// Source: Envoy's router/config_impl.cc (RouteMatcher).
class VirtualHosts {
 public:
  // Linear in the domains.
  explicit VirtualHosts(const documents::Node& configuration);

  // That of a host: exact, else the longest of `*.example`, else the longest of `example.*`, else `*`; of two that have
  // the same domain the first. Null: none. A lookup for each length of such patterns.
  [[nodiscard]] const documents::Node* of(const std::string& host) const;
  // That of a request, by `vhost_header` or its host. Without that header none, unless all hosts have one only.
  [[nodiscard]] const documents::Node* of(const envoy::routes::Request& request) const;
  // `ignore_path_parameters_in_path_matching`.
  [[nodiscard]] bool ignores_path_parameters() const noexcept { return ignores_path_parameters_; }
  [[nodiscard]] const documents::Node& configuration() const { return *configuration_; }

 private:
  using ByText = std::unordered_map<std::string, const documents::Node*>;
  using ByLength = std::map<std::size_t, ByText, std::greater<>>;  // without the star

  void add(const std::string& domain, const documents::Node& virtual_host);

  const documents::Node* configuration_;
  bool ignores_port_ = false;
  bool ignores_path_parameters_ = false;
  std::string header_;  // vhost_header; empty: the host
  ByText exact_;
  ByLength endings_;
  ByLength beginnings_;
  const documents::Node* any_ = nullptr;
};

// Nothing: no route takes it. What keeps this from being told is added to `problems` (SP301).
[[nodiscard]] std::optional<ChosenRoute> choose_route(const VirtualHosts& hosts, const envoy::routes::Request& request,
                                                      Diagnostics& problems);

// Of an action of a virtual host's matcher, which is a Route or a RouteList; the routes' own matches are asked too.
[[nodiscard]] std::vector<const documents::Node*> routes_of_action(const documents::Node& action);

// All routes of a virtual host: its list, or those that its matcher leads to. Linear.
[[nodiscard]] std::vector<const documents::Node*> routes_of(const documents::Node& virtual_host);

}  // namespace spillway::proxy
