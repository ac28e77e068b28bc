// Reads fields of a message in protobuf's JSON, under either of their names and in every form that Envoy takes.
// Unset fields read as their default value.
//
//   const api::MessageView match = route.message("match");
//   if (match.has("safe_regex")) ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/documents/node.hpp"
#include "models/envoy/api/api_values.hpp"

namespace spillway::api {

class MessageView {
 public:
  MessageView() = default;
  explicit MessageView(const documents::Node* node) : node_(node) {}
  explicit MessageView(const documents::Node& node) : node_(&node) {}

  [[nodiscard]] bool exists() const noexcept { return node_ != nullptr; }
  // Precondition: it exists.
  [[nodiscard]] const documents::Node& node() const noexcept { return *node_; }

  // Returns the value of a field; null if it is not set.
  [[nodiscard]] const documents::Node* find(std::string_view field) const;
  [[nodiscard]] bool has(std::string_view field) const { return find(field) != nullptr; }
  // Returns the place of a field's value, or of the message if it is not set. Precondition: the message exists.
  [[nodiscard]] Span place(std::string_view field) const;

  [[nodiscard]] MessageView message(std::string_view field) const { return MessageView(find(field)); }
  // Returns the items of a list. A single value counts as a list of one, and nested lists as one list.
  [[nodiscard]] std::vector<MessageView> items(std::string_view field) const;

  [[nodiscard]] std::string text(std::string_view field) const;
  [[nodiscard]] double number(std::string_view field, double otherwise = 0) const;
  [[nodiscard]] double seconds(std::string_view field, double otherwise = 0) const;
  [[nodiscard]] bool flag(std::string_view field, bool otherwise = false) const;
  // True if an enum's field has this value; `number` is the value's own. Words are compared as Envoy reads them:
  // ignoring case, `-` for `_`.
  [[nodiscard]] bool is(std::string_view field, std::string_view word, double number) const;

  // Returns the message type of a google.protobuf.Any, after the last slash; of a TypedStruct that of its `value`.
  [[nodiscard]] std::string any_type() const;
  // Returns the message in a google.protobuf.Any: itself, or `value` of a TypedStruct.
  [[nodiscard]] MessageView any_message() const;

 private:
  const documents::Node* node_ = nullptr;
};

// True if `key` is the name of a field in snake_case or lowerCamelCase.
[[nodiscard]] bool names_field(std::string_view key, std::string_view field) noexcept;

// Returns the type after the last slash.
[[nodiscard]] std::string_view after_slash(std::string_view type_url) noexcept;

[[nodiscard]] bool is_typed_struct(std::string_view type) noexcept;

}  // namespace spillway::api
