// The exact shares that a question is about, at a snapshot.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/explain/explanation.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {
class Snapshot;  // snapshot.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Question;  // explain.hpp

// The client's first kind of requests that goes to the service; none: it asks without any.
[[nodiscard]] std::optional<std::size_t> kind_for(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                                  config::ServiceIndex service);

// The scenario, where the client sends nothing but that kind, with the question's headers in it.
[[nodiscard]] scenario::Scenario with_headers(const scenario::Scenario& scenario, const Question& question);

struct AskedShares {
  std::vector<EndpointShare> endpoints = {};
  std::string basis = {};
  std::string why_joint = {};  // empty: every endpoint has an exact share
};

// The shares of a flow's own requests, or of the one that the question's key stands for. `traced`: null, or gets the
// way there.
[[nodiscard]] envoy::ExactShares flow_shares(const run::Snapshot& snapshot, const Question& question,
                                             run::FlowIndex flow, std::vector<run::Traffic::TracedPart>* traced);

// Adds those of one flow, `exact` by the function above, as parts of what the client asks of the service.
void add_endpoints(const run::Snapshot& snapshot, const Question& question, run::FlowIndex flow,
                   const envoy::ExactShares& exact, AskedShares& into);

// Of all flows of the question's client and service.
[[nodiscard]] AskedShares asked_shares(const run::Snapshot& snapshot, const Question& question);

}  // namespace spillway::reports::explain
