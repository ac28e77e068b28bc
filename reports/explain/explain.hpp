// Explaining where requests go.
//
//   const Explanation explanation = explain(scenario, sources, {.client = client, .service = service, .at = 25s});
//
// Every number comes of the functions that runs use: states and shares are those of run::Snapshot, the steps of
// envoy::ShareTrace. Linear in the hosts of what the client asks, times its hashes; `why` searches by halving.
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
  config::ServiceIndex service = {};  // as clients ask for it
  std::chrono::nanoseconds at{0};     // within the scenario

  // One request instead of all: by the value of its hash key, or by headers that are put into the client's first kind
  // of requests for the service.
  std::optional<std::string> key = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  std::optional<std::string> why = {};  // a zone, a priority (P1) or an endpoint
  bool at_rest = false;                 // shares with no request in flight, no retries and no host in slow start
};

// Why a question makes no sense; none: it does.
struct Refusal {
  enum class About : std::uint8_t { request, why };
  About about = About::request;
  std::string message = {};
  std::vector<std::string> choices = {};
};
[[nodiscard]] std::optional<Refusal> refusal(const scenario::Scenario& scenario, const Question& question);

// The question must not be refused; client and service must belong together.
[[nodiscard]] Explanation explain(const scenario::Scenario& scenario, const Sources& sources, const Question& question);

// The services that the client asks for, by their names, each once.
[[nodiscard]] std::vector<config::ServiceIndex> asked_services(const scenario::Scenario& scenario,
                                                               config::ClientEntryIndex client);

}  // namespace spillway::reports::explain
