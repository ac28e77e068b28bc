// In which words a policy says what its messages look like in files: the kinds of values that their fields have. A
// policy names each field of its Config to whoever asks, which is the reader of files, the JSON Schema and the
// exporter (models/envoy/api/policy_fields.hpp); nothing here reads or writes.
//
//   template <class Fields>
//   static void describe(Fields& fields, Config& config) {
//     fields.optional("table_size", config.table_size, message::Uint64{}, "slots, a prime; default: 65537");
//   }
//
// `Fields` has
//   optional(name, member, kind, words)         what is not written leaves the member alone
//   unless_default(name, member, kind, words)   the same, and a member that says nothing is not written either
//   idle(name, kind)                            checked; has no influence on where requests go
//   not_simulated(name, words), formerly(old, today)
//   locality(), locality_weights()              how a typed policy chooses localities: of both ways, or by weight only
//   child(name, member, Needed, words)          a policy inside this one
//   writing()                                   true where the Config is to be written
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
  std::vector<std::pair<const char*, const char*>> formerly = {};  // of an older Envoy, with today's
};
// A message of its own, and a list of them.
template <class T>
struct Of {};
template <class T>
struct ListOf {};

enum class Needed : std::uint8_t { no, yes };

// A struct that describes itself: `definition`, and describe(fields, T&) as policies have it. Where Envoy refuses some,
// `refused` is what they are called, and refusal(T) the reason.
template <class T>
concept DescribesItself = requires {
  { T::definition };
  typename T::DescribesItself;
};

// A policy's settings in the cluster's own fields, outside load_balancing_policy.
struct Settings {
  const char* lb_policy = nullptr;   // "RING_HASH"; null: another one's, as those of subsets are
  std::uint64_t number = 0;          // of that in protobuf
  const char* field = nullptr;       // "ring_hash_lb_config"; null: it has none
  const char* definition = nullptr;  // of the field's message
  const char* words = nullptr;       // what the field is
};

}  // namespace spillway::envoy::policies::message
