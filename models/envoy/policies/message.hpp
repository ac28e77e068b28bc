// The kinds of values in a policy's messages. A policy describes its Config once (models/envoy/api/policy_fields.hpp):
//
//   fields.optional("table_size", config.table_size, message::Uint64{}, "slots, a prime; default: 65537");
//
// `Fields` has optional(name, member, kind, words); unless_default(...), which does not write a default;
// idle(name, kind) for fields without influence; not_simulated(name, words); formerly(old, today); locality() and
// locality_weights(), the ways to choose localities; child(name, member, Needed, words), a policy inside this one; and
// writing(), true where the Config is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace spillway::envoy::policies::message {

struct Flag {
  bool wrapper = false;  // a google.protobuf.BoolValue
};
struct Uint32 {};
struct Uint64 {};
struct Double {};
struct RuntimeDouble {};
struct Duration {};
struct Struct {};       // google.protobuf.Struct
struct MetadataKey {};  // envoy.type.metadata.v3.MetadataKey, of which the first name on the path is kept
struct Text {};
struct Names {};  // a list of texts that are not empty
struct Texts {};  // a list of texts
struct Choice {
  std::vector<const char*> words;
  std::vector<std::pair<const char*, const char*>> formerly = {};  // of an older Envoy, with today's
  std::optional<std::size_t> otherwise = {};                       // as in grammar::Choice
  const char* unnamed = nullptr;                                   // likewise
};
template <class T>
struct Of {};
template <class T>
struct ListOf {};

enum class Needed : std::uint8_t { no, yes };

// A struct with `definition` and describe(fields, T&). If Envoy refuses some: `refused`, their name, and refusal(T).
template <class T>
concept DescribesItself = requires {
  { T::definition };
  typename T::DescribesItself;
};

// A policy's settings in the cluster's own fields, outside load_balancing_policy.
struct Settings {
  const char* lb_policy = nullptr;   // "RING_HASH"; null if another policy's applies, as for subsets
  std::uint64_t number = 0;          // of lb_policy in protobuf
  const char* field = nullptr;       // "ring_hash_lb_config"; null if it has none
  const char* definition = nullptr;  // of the field's message
  const char* words = nullptr;       // documentation of the field
};

}  // namespace spillway::envoy::policies::message
