// Explains where requests go.
//
//   const Explanation explanation = explain(scenario, sources, {.client = client, .service = service, .at = 25s});
//
// Every number comes from the functions that runs use: states and shares from run::Snapshot, steps from
// envoy::ShareTrace. Linear in the hosts of the requested clusters, times the hashes; `why` uses binary search.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Explanation;  // explanation.hpp

struct Question {
  config::ClientEntryIndex client = {};
  config::ServiceIndex service = {};  // as the client requests it
  std::chrono::nanoseconds at{0};     // within the scenario

  // Selects one request instead of all: by the value of its hash key, or by headers. The headers are added to the
  // client's first kind of requests for the service.
  std::optional<std::string> key = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  std::optional<std::string> why = {};  // a zone, a priority (P1) or an endpoint
  bool at_rest = false;                 // shares with nothing in flight, no retries and no slow start
};

// The reason why a question makes no sense; nullopt if it does.
struct Refusal {
  enum class About : std::uint8_t { request, why };
  About about = About::request;
  std::string message = {};
  std::vector<std::string> choices = {};
};
[[nodiscard]] std::optional<Refusal> refusal(const scenario::Scenario& scenario, const Question& question);

// Explains the shares. Preconditions: the question is not refused; client and service belong together.
[[nodiscard]] Explanation explain(const scenario::Scenario& scenario, const Sources& sources, const Question& question);

// Returns the services that the client requests, under the names that it uses, each once.
[[nodiscard]] std::vector<config::ServiceIndex> asked_services(const scenario::Scenario& scenario,
                                                               config::ClientEntryIndex client);

}  // namespace spillway::reports::explain
