// Writes the routes and clients of an imported scenario: a route and a client for each described request, and a client
// for each cluster called directly.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "models/envoy/routes/route.hpp"
#include "reports/import/client_rates.hpp"

namespace spillway::config {
struct Locality;  // locality.hpp
}  // namespace spillway::config

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::importing {

struct Input;  // import.hpp

// Naming functions for the rest of the file.
struct Names {
  std::function<std::string(std::size_t proxy, const std::string& cluster)> service;
  std::function<void(documents::Node& node, const config::Locality& locality)> add_place;
};

class RequestTexts {
 public:
  // Prepares routes and clients. Lifetime: keeps pointers to both arguments. Quadratic in the described requests.
  RequestTexts(const Input& input, const Names& names);

  // Returns "routes:\n..."; empty if there are no routes. Each route matches only the host of its own request, as its
  // virtual host does. If routes of two listeners or proxies would match the same request, a header `x-listener`
  // separates them.
  [[nodiscard]] std::string routes() const;
  // Returns "clients:\n...".
  [[nodiscard]] std::string clients() const;
  // Returns clusters whose rates differ from the counts, or whose counters were reset.
  [[nodiscard]] const std::vector<std::string>& findings() const noexcept { return findings_; }

 private:
  struct Asked {
    std::size_t proxy = 0;
    const scenario::Scenario* world = nullptr;
    documents::Node route = {};  // null if the cluster is requested directly
    envoy::routes::RouteMatch match = {};
    std::size_t mark = 0;  // value of x-listener; 0 if there is no such header
  };

  void add(std::size_t proxy, const scenario::Scenario& world);
  [[nodiscard]] documents::Node route_of(const Asked& asked) const;
  [[nodiscard]] documents::Node request_of(const Asked& asked) const;
  [[nodiscard]] static bool sends_nothing(const ClientRate& reported);
  [[nodiscard]] std::string client(std::size_t number, const std::string& name) const;
  [[nodiscard]] static std::string phases_text(const std::vector<observed::RatePhase>& phases);

  const Input* input_;
  const Names* names_;
  std::vector<Asked> asked_;
  std::vector<ClientRate> reported_;  // one per client
  std::vector<std::string> findings_;
};

// Returns "30s", "1500ms".
[[nodiscard]] std::string duration_text(std::chrono::nanoseconds time);

}  // namespace spillway::reports::importing
