// Computes the exact shares that a question is about, at a snapshot.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/explain/explanation.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::envoy {
struct ExactShares;  // exact_shares.hpp
}  // namespace spillway::envoy

namespace spillway::run {
class Snapshot;     // snapshot.hpp
struct TracedPart;  // traced_part.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Question;  // explain.hpp

// Returns the client's first kind of requests that goes to the service; nullopt if its requests have no kind.
[[nodiscard]] std::optional<std::size_t> kind_for(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                                  config::ServiceIndex service);

// Returns the scenario with the client reduced to that kind, with the question's headers added to it.
[[nodiscard]] scenario::Scenario with_headers(const scenario::Scenario& scenario, const Question& question);

struct AskedShares {
  std::vector<EndpointShare> endpoints = {};
  std::string basis = {};
  std::string why_joint = {};  // empty if every endpoint has an exact share
};

// Returns the shares of a flow's requests, or of the one that the question's key selects. Adds their path to `traced`.
[[nodiscard]] envoy::ExactShares flow_shares(const run::Snapshot& snapshot, const Question& question,
                                             run::FlowIndex flow, std::vector<run::TracedPart>* traced);

// Adds the shares of one flow, computed by flow_shares(), as parts of the client's requests for the service.
void add_endpoints(const run::Snapshot& snapshot, const Question& question, run::FlowIndex flow,
                   const envoy::ExactShares& exact, AskedShares& into);

// Returns the shares summed over all flows of the question's client and service.
[[nodiscard]] AskedShares asked_shares(const run::Snapshot& snapshot, const Question& question);

}  // namespace spillway::reports::explain
