// A value of a document with its location. Both syntaxes, JSON with comments and YAML, are parsed into a tree of these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway::documents {

enum class Kind : std::uint8_t { null, boolean, integer, number, string, array, object };

struct Member;

// A value in the tree. `span` is the scalar as written, including quotes, or the opening bracket of an array or object
// (in YAML's block style its first character).
struct Node {
  Kind kind = Kind::null;
  Span span;
  bool boolean = false;
  bool protobuf = false;        // part of an Envoy message, which may use every form of protobuf's JSON
  bool envoys_own = false;      // protobuf, and in a document for Envoy itself, not in a scenario
  bool reported = false;        // envoys_own, and written by a program: a dump of a proxy, a control plane's response
  bool plain = false;           // an unquoted YAML scalar
  bool negative = false;        // integer only
  std::uint64_t magnitude = 0;  // integer only: the absolute value
  double number = 0.0;          // integer and number; finite
  std::string text;             // string: the value; integer and number: as written
  std::vector<Node> items;
  std::vector<Member> members;  // in file order; keys are unique

  [[nodiscard]] const Member* find(std::string_view key) const noexcept;
};

struct Member {
  std::string key;
  Span key_span;
  Node value;
};

// Returns "a string", "an object" etc., for messages.
[[nodiscard]] std::string_view describe_kind(Kind kind) noexcept;

}  // namespace spillway::documents
