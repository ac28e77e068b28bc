// Finds where requests enter: the connection managers and TCP proxies of listeners, with the route configurations of
// each.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::proxy {

class Index;                // resources.hpp
struct Documents;           // documents.hpp
struct RequestDescription;  // options.hpp

// An entry point for requests. At most one of `manager` and `tcp_proxy` is set.
struct Entrance {
  std::string listener;                             // its name, or "address:port"; empty for routes without a listener
  const documents::Node* manager = nullptr;         // an HttpConnectionManager; null if there is no listener
  const documents::Node* tcp_proxy = nullptr;       // a TcpProxy
  std::vector<const documents::Node*> routes = {};  // RouteConfigurations for the request's scope
  const documents::Node* listener_node = nullptr;   // the Listener, if there is one
  const documents::Node* chain = nullptr;  // its FilterChain that has the manager or proxy; null of an api_listener
  std::vector<std::string> missing = {};   // names of route configurations that the documents do not have
  std::string match =
      {};  // which connections the filter chain takes, where there are several: "server_names a.example"
};

// Returns the entrances of the described listener, else of all listeners; without listeners, only the route
// configurations. Reports an unknown listener (SP150).
[[nodiscard]] std::vector<Entrance> entrances(const Documents& documents, const Index& index,
                                              const RequestDescription& description,
                                              const envoy::routes::Request& request, Diagnostics& problems);

// Returns a listener's name, else "address:port".
[[nodiscard]] std::string name_of_listener(const documents::Node& listener);
// Returns "address:port"; empty if the listener has no address.
[[nodiscard]] std::string address_of_listener(const documents::Node& listener);

}  // namespace spillway::proxy
