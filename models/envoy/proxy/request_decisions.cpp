#include "models/envoy/proxy/request_decisions.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/hash_policy.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/api/route_match.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using envoy::routes::Request;

// Returns the number in a header that the request has once; nullopt if it is no whole number of 64 bits.
std::optional<std::uint64_t> number_in_header(const Request& request, const std::string& header) {
  const std::vector<std::string> values = envoy::routes::all_values(request, header);
  if (values.size() != 1) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const char* const end = values.front().data() + values.front().size();
  const auto read = std::from_chars(values.front().data(), end, number);
  return read.ec == std::errc{} && read.ptr == end && !values.front().empty() ? std::optional(number) : std::nullopt;
}

// Returns the hash of the request by the route's policies. No cookie is generated for the choice of a cluster.
std::optional<std::uint64_t> hash_by_policies(const Node& action, const Request& request, Diagnostics& problems) {
  const Node* const list = find_value(action, "hash_policy");
  std::vector<envoy::routes::HashPolicy> policies;
  if (list == nullptr || !messages::Items<messages::HashPolicy>{}.read(*list, policies, "hash_policy", problems)) {
    return std::nullopt;
  }
  return envoy::routes::hash_of(policies, request, [](const envoy::routes::CookieHash&) { return std::nullopt; }).hash;
}

// Returns the position of the cluster whose weights contain the value; nullopt if there are no weights.
std::optional<std::size_t> position_of(const Node& clusters, std::uint64_t value) {
  std::uint64_t total = 0;
  const auto weight_of = [](const Node& cluster) {
    return static_cast<std::uint64_t>(api::MessageView(cluster).number("weight"));
  };
  for (const Node& cluster : clusters.items) {
    total += weight_of(cluster);
  }
  std::uint64_t left = total == 0 ? 0 : value % total;
  for (std::size_t i = 0; total > 0 && i < clusters.items.size(); ++i) {
    const std::uint64_t weight = weight_of(clusters.items[i]);
    if (left < weight) {
      return i;
    }
    left -= weight;
  }
  return std::nullopt;
}

void choose_weighted_cluster(Node& action, const Request& request, std::vector<std::string>& notes,
                             Diagnostics& problems) {
  Node* const weighted = find_value(action, "weighted_clusters");
  if (weighted == nullptr) {
    return;
  }
  const std::string header = text_at(*weighted, "header_name");
  const bool by_hash = api::MessageView(*weighted).flag("use_hash_policy");
  erase_key(*weighted, "header_name");
  erase_key(*weighted, "use_hash_policy");
  if (header.empty() && !by_hash) {
    return;
  }
  const auto value = by_hash ? hash_by_policies(action, request, problems) : number_in_header(request, header);
  Node* const clusters = find_value(*weighted, "clusters");
  const auto position = value && clusters != nullptr ? position_of(*clusters, *value) : std::nullopt;
  if (!position) {
    notes.push_back((by_hash ? "the request has no known hash" : "the request has no number in " + in_ticks(header)) +
                    ", so the weights choose its cluster");
    return;
  }
  const std::string name = text_at(clusters->items[*position], "name");
  notes.push_back((by_hash ? "the request's hash" : "the header " + in_ticks(header)) +
                  (name.empty() ? " chooses a cluster that a header names" : " chooses the cluster " + in_ticks(name)));
  Node chosen = std::move(clusters->items[*position]);
  clusters->items.clear();
  clusters->items.push_back(std::move(chosen));
}

void settle_retries(Node& action, const Request& request, std::vector<std::string>& notes, Diagnostics& problems) {
  Node* const policy = find_value(action, "retry_policy");
  const Node* const list = policy == nullptr ? nullptr : find_value(*policy, "retriable_request_headers");
  std::vector<envoy::routes::HeaderMatcher> matchers;
  if (list == nullptr || !messages::Items<messages::Message<envoy::routes::HeaderMatcher>>{}.read(
                             *list, matchers, "retriable_request_headers", problems)) {
    return;
  }
  const bool retried = matchers.empty() || std::any_of(matchers.begin(), matchers.end(), [&](const auto& matcher) {
                         return envoy::routes::matches(matcher, request);
                       });
  erase_key(*policy, "retriable_request_headers");
  if (!retried) {
    notes.emplace_back("the request is not retried: it meets none of `retriable_request_headers`");
    erase_key(action, "retry_policy");
  }
}

}  // namespace

void settle_by_request(Node& route, const Request& request, std::vector<std::string>& notes, Diagnostics& problems) {
  if (Node* const action = find_value(route, "route")) {
    choose_weighted_cluster(*action, request, notes, problems);
    settle_retries(*action, request, notes, problems);
  }
}

}  // namespace spillway::proxy
