// Evaluates xds.type.matcher.v3.Matcher for one request: lists of predicates, and maps by exact value, prefix, address
// or server name.
//
//   const auto result = evaluate(*matcher, {.request = request}, problems);
//   if (result.action != nullptr) { type_of(*result.action); }   // envoy.config.route.v3.Route
//
// If a matched branch leads to a matcher without a match, or has keep_matching, the next branch is tried; in a map of
// prefixes the next shorter one. Source: Envoy's common/matcher (ListMatcher, MapMatcher, PrefixMapMatcher) and the
// proto files of xds.type.matcher.v3.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// The connection of a described request. Properties are nullopt if unknown.
struct Connection {
  std::optional<std::string> server_name = {};  // lower case; empty if it has none
  std::optional<std::string> destination_ip = {};
  std::optional<std::uint64_t> destination_port = {};
  std::optional<std::string> transport_protocol = {};  // "tls", "raw_buffer" or "quic"
  bool names_no_application = false;                   // it is known to have no application protocols
  std::optional<std::string> direct_source_ip = {};
  std::optional<std::string> source_ip = {};
  std::optional<std::uint64_t> source_port = {};
  std::optional<bool> is_local = {};  // the source is the same machine
};

struct MatchInputs {
  const envoy::routes::Request& request;
  const Connection& connection;
};

struct MatchResult {
  const documents::Node* action = nullptr;  // its typed_config; null if nothing matches
  bool kept = false;                        // a match with keep_matching was passed
  bool unknown = false;                     // an input that decides is unsupported or unknown; see `problems`
};

// Evaluates the tree. Adds each input or matcher that is not supported to `problems` (SP301). Linear in the tree.
[[nodiscard]] MatchResult evaluate(const documents::Node& matcher, const MatchInputs& inputs, Diagnostics& problems);

// Returns the typed_config of every action of a tree, in document order. Linear.
[[nodiscard]] std::vector<const documents::Node*> actions_of(const documents::Node& matcher);

// True if an address is within "10.0.0.0"/`bits`. False unless both are addresses of one family.
[[nodiscard]] bool lies_within(const std::string& address, const std::string& prefix, std::uint64_t bits);

}  // namespace spillway::proxy
