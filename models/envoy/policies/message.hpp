// The vocabulary in which a policy describes its messages: the types of their fields. A policy names each field of its
// Config to a visitor: the reader of files, the JSON Schema or the exporter (models/envoy/api/policy_fields.hpp).
// Nothing here reads or writes.
//
//   template <class Fields>
//   static void describe(Fields& fields, Config& config) {
//     fields.optional("table_size", config.table_size, message::Uint64{}, "slots, a prime; default: 65537");
//   }
//
// `Fields` has
//   optional(name, member, kind, words)         if not written, the member keeps its value
//   unless_default(name, member, kind, words)   the same; when writing, a default value is omitted
//   idle(name, kind)                            checked; has no effect on picks
//   not_simulated(name, words), formerly(old, today)
//   locality(), locality_weights()              the locality settings of a typed policy: both kinds, or weights only
//   child(name, member, Needed, words)          a policy inside this one
//   writing()                                   true if the Config is written, not read
#pragma once

#include <cstdint>
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
  std::vector<std::pair<const char*, const char*>> formerly = {};  // words of an older Envoy, each with the current one
};
// A message as a field, and a list of messages.
template <class T>
struct Of {};
template <class T>
struct ListOf {};

enum class Needed : std::uint8_t { no, yes };

// A struct that describes itself like a policy: `definition`, and describe(fields, T&). If Envoy refuses some values,
// `refused` is the name in its error, and refusal(T) returns the reason.
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
