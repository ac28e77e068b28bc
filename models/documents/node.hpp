// A value of a scenario file with its place: what both syntaxes, JSON with comments and YAML, are read into.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway::documents {

enum class Kind : std::uint8_t { null, boolean, integer, number, string, array, object };

struct Member;

// `span` is the scalar as written, quotes included, or the opening bracket (in YAML's block style the first character)
// of an array or object.
struct Node {
  Kind kind = Kind::null;
  Span span;
  bool boolean = false;
  bool protobuf = false;        // in a message of Envoy's, which may hold every form of protobuf's JSON
  bool envoys_own = false;      // and that in a document of Envoy's own
  bool reported = false;        // which a program wrote: a dump of a proxy, what a control plane sends
  bool plain = false;           // a scalar of YAML without quotes
  bool negative = false;        // of an integer
  std::uint64_t magnitude = 0;  // of an integer, without its sign
  double number = 0.0;          // of an integer or number; finite
  std::string text;             // of a string; of an integer or number as the file spells it
  std::vector<Node> items;
  std::vector<Member> members;  // in the order of the file; keys are unique

  [[nodiscard]] const Member* find(std::string_view key) const noexcept;
};

struct Member {
  std::string key;
  Span key_span;
  Node value;
};

// "a string", "an object": for messages.
[[nodiscard]] std::string_view describe_kind(Kind kind) noexcept;

}  // namespace spillway::documents
