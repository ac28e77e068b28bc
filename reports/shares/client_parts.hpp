// Computes how a client's requests divide over services, if its routes split them.
//
//   ClientParts parts(grouped);
//   if (const auto part = parts.of(client, service)) { part->expected; }   // 0.9
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

struct Grouped;  // group_by.hpp

class ClientParts {
 public:
  explicit ClientParts(const Grouped& grouped);

  // The fraction expected from the weights of routes and kinds of requests, and the counted fraction.
  struct Part {
    double expected = 0.0;
    double counted = 0.0;
  };
  // Returns nullopt if the client requests only one service, sends nothing, or rows combine several clients.
  [[nodiscard]] std::optional<Part> of(config::ClientEntryIndex client, config::ServiceIndex service) const;

  [[nodiscard]] std::uint64_t sent(config::ClientEntryIndex client, config::ServiceIndex service) const;

  // Returns "c -> web: 90 % of c's requests", one line per service of a client that requests several.
  [[nodiscard]] std::vector<std::string> lines(const scenario::Scenario& scenario) const;

 private:
  struct Sums {
    double expected = 0.0;
    std::uint64_t sent = 0;
  };
  bool by_client_ = false;
  std::map<std::pair<config::ClientEntryIndex, config::ServiceIndex>, Sums> of_service_;
  std::map<config::ClientEntryIndex, std::pair<std::size_t, Sums>> of_client_;  // with the number of its services
};

}  // namespace spillway::reports
