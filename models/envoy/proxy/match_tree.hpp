// xds.type.matcher.v3.Matcher, evaluated for one request: lists of predicates, and maps by exact value, prefix, address
// or server name.
//
//   const auto result = evaluate(*matcher, {.request = request}, problems);
//   if (result.action != nullptr) { type_of(*result.action); }   // envoy.config.route.v3.Route
//
// Where a matched branch leads to a matcher that does not match, or says keep_matching, the next one is tried; in a map
// of prefixes a shorter one. Source: Envoy's common/matcher (ListMatcher, MapMatcher, PrefixMapMatcher) and the proto
// files of xds.type.matcher.v3.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// What a request's description tells of its connection. Nothing: it does not tell.
struct Connection {
  std::optional<std::string> server_name = {};  // lower case
  std::optional<std::string> destination_ip = {};
  std::optional<std::uint64_t> destination_port = {};
  std::optional<std::string> transport_protocol = {};  // "tls" or "raw_buffer"
};

struct MatchInputs {
  const envoy::routes::Request& request;
  const Connection& connection;
};

struct MatchResult {
  const documents::Node* action = nullptr;  // its typed_config; null: nothing matches
  bool unknown = false;                    // something that decides is not simulated, or not told; `problems` says what
};

// An input or matcher that cannot be asked is added to `problems` (SP301). Linear in the tree.
[[nodiscard]] MatchResult evaluate(const documents::Node& matcher, const MatchInputs& inputs, Diagnostics& problems);

// Every action of a tree, in the order of the document: their typed_configs. Linear.
[[nodiscard]] std::vector<const documents::Node*> actions_of(const documents::Node& matcher);

// Whether an address lies in "10.0.0.0" of so many bits; false for what are no addresses of one family.
[[nodiscard]] bool lies_within(const std::string& address, const std::string& prefix, std::uint64_t bits);

}  // namespace spillway::proxy
