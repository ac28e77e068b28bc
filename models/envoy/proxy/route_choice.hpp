// Chooses the route of a RouteConfiguration for a request as Envoy does: the virtual host by its domains, then the
// first matching route, or the one found by its matcher tree.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_matcher.hpp"
#include "models/envoy/proxy/runtime_fraction.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

struct ChosenRoute {
  const documents::Node* configuration = nullptr;
  const documents::Node* virtual_host = nullptr;
  const documents::Node* route = nullptr;
  documents::Node match = {};              // RouteMatch without conditions that the request is known to meet
  std::vector<std::string> loosened = {};  // keys of conditions that `match` lacks or has in a wider form
  std::optional<Fraction> fraction = {};   // the part of the requests that it takes; all if not set
};

// An index of a RouteConfiguration's virtual hosts by domain. Precondition: the configuration outlives it.
// Source: Envoy's router/config_impl.cc (RouteMatcher).
class VirtualHosts {
 public:
  // Linear in the domains.
  explicit VirtualHosts(const documents::Node& configuration);

  // Returns the virtual host for a host name; null if there is none. Order: exact, the longest of `*.example`, the
  // longest of `example.*`, then `*`. For duplicate domains the first counts. One lookup per distinct pattern length.
  [[nodiscard]] const documents::Node* of(const std::string& host) const;
  // Returns the virtual host for a request, by `vhost_header` or its host. Returns null if that header is missing,
  // unless `*` is the only domain.
  [[nodiscard]] const documents::Node* of(const envoy::routes::Request& request) const;
  // Returns `ignore_path_parameters_in_path_matching`.
  [[nodiscard]] bool ignores_path_parameters() const noexcept { return ignores_path_parameters_; }
  [[nodiscard]] const documents::Node& configuration() const { return *configuration_; }

 private:
  using ByText = std::unordered_map<std::string, const documents::Node*>;
  using ByLength = std::map<std::size_t, ByText, std::greater<>>;  // without the star

  void add(const std::string& domain, const documents::Node& virtual_host);

  const documents::Node* configuration_;
  bool ignores_port_ = false;
  bool ignores_path_parameters_ = false;
  std::string header_;  // vhost_header; the host is used if it is empty
  ByText exact_;
  ByLength endings_;
  ByLength beginnings_;
  const documents::Node* any_ = nullptr;
};

// Returns the routes of a request in order: those that take a part of the requests (runtime_fraction), then the one
// that takes the rest, if there is one. Empty if no route matches. Adds conditions that cannot be decided to `problems`
// (SP301); then the result is empty.
[[nodiscard]] std::vector<ChosenRoute> choose_routes(const VirtualHosts& hosts, const envoy::routes::Request& request,
                                                     const Receiver& receiver, Diagnostics& problems);

// True if the path alone excludes a match, so that the match need not be parsed completely.
[[nodiscard]] bool has_other_path(const documents::Node& match, std::string_view path);

// Returns the routes of an action of a virtual host's matcher, a Route or a RouteList. The routes' own matches apply as
// well.
[[nodiscard]] std::vector<const documents::Node*> routes_of_action(const documents::Node& action);

// Returns all routes of a virtual host: its list, or those of its matcher. Linear.
[[nodiscard]] std::vector<const documents::Node*> routes_of(const documents::Node& virtual_host);

}  // namespace spillway::proxy
