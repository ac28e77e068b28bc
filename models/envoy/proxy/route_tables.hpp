// Where requests come in: the connection managers and TCP proxies of listeners, and the routes that each goes by.
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

// One of the two is set.
struct Entrance {
  std::string listener;                             // its name, or "address:port"; empty: routes without a listener
  const documents::Node* manager = nullptr;         // an HttpConnectionManager; null where there is no listener
  const documents::Node* tcp_proxy = nullptr;       // a TcpProxy
  std::vector<const documents::Node*> routes = {};  // RouteConfigurations, as the request's scope has them
  const documents::Node* listener_node = nullptr;   // the Listener, if there is one
  const documents::Node* chain = nullptr;  // its FilterChain that has the manager or proxy; null of an api_listener
  std::vector<std::string> missing = {};   // names of route configurations that the documents do not have
  std::string match =
      {};  // which connections the filter chain takes, where there are several: "server_names a.example"
};

// The entrances of the listener that is described, else of all listeners; without listeners the route configurations
// alone. Reports a listener that is not there (SP150).
[[nodiscard]] std::vector<Entrance> entrances(const Documents& documents, const Index& index,
                                              const RequestDescription& description,
                                              const envoy::routes::Request& request, Diagnostics& problems);

// What a listener is called: its name, else "address:port".
[[nodiscard]] std::string name_of_listener(const documents::Node& listener);
// "address:port"; empty: it has none.
[[nodiscard]] std::string address_of_listener(const documents::Node& listener);

}  // namespace spillway::proxy
