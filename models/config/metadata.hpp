// Metadata values as Envoy compares them (google.protobuf.Value and Struct), as plain value types.
//
//   Struct metadata;
//   metadata.set("version", "1.0");
//   metadata.set("stage", Value::List{"prod", "canary"});
//   metadata.find("version");           // a Value, or null
//
// Values are compared as a whole. Lists are equal if their elements are equal in the same order, objects if their
// fields are equal. A number never equals its text. Source: docs/behaviour/envoy-host-pick.md 12; Envoy's
// common/protobuf/utility.h (ValueUtil).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace spillway::config {

class Value;
struct Field;

// A JSON-like object: fields in byte order of their names, each name once.
class Struct {
 public:
  Struct();
  Struct(const Struct&);
  Struct(Struct&&) noexcept;
  Struct& operator=(const Struct&);
  Struct& operator=(Struct&&) noexcept;
  ~Struct();

  // Returns the field's value; null if there is none. O(log fields).
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;

  // Adds or replaces a field.
  void set(std::string name, Value value);
  void remove(std::string_view name);

  // Sets every field of `other`, as a weighted cluster's metadata overrides its route's.
  void merge(const Struct& other);

  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }
  [[nodiscard]] bool empty() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;

  friend bool operator==(const Struct& left, const Struct& right);

 private:
  std::vector<Field> fields_;
};

class Value {
 public:
  using List = std::vector<Value>;

  Value() = default;  // null
  Value(bool value) : content_(value) {}
  Value(double value) : content_(value) {}
  Value(int value) : content_(static_cast<double>(value)) {}
  Value(const char* value) : content_(std::string(value)) {}
  Value(std::string value) : content_(std::move(value)) {}
  Value(List value) : content_(std::move(value)) {}
  Value(Struct value) : content_(std::move(value)) {}

  [[nodiscard]] const std::string* as_string() const noexcept { return std::get_if<std::string>(&content_); }
  [[nodiscard]] const List* as_list() const noexcept { return std::get_if<List>(&content_); }
  [[nodiscard]] const Struct* as_struct() const noexcept { return std::get_if<Struct>(&content_); }
  [[nodiscard]] const double* as_number() const noexcept { return std::get_if<double>(&content_); }
  [[nodiscard]] const bool* as_bool() const noexcept { return std::get_if<bool>(&content_); }

  // Returns a hash; equal values have equal hashes. O(size of the value).
  [[nodiscard]] std::uint64_t hash() const noexcept;

  friend bool operator==(const Value& left, const Value& right);

 private:
  std::variant<std::monostate, bool, double, std::string, List, Struct> content_;
};

struct Field {
  std::string name;
  Value value;

  friend bool operator==(const Field&, const Field&) = default;
};

inline bool Struct::empty() const noexcept {
  return fields_.empty();
}
inline std::size_t Struct::size() const noexcept {
  return fields_.size();
}

// Returns readable text: `prod`, `1.5`, `true`, `null`, `[a, b]`, `{key: value}`. For labels, not for comparison.
[[nodiscard]] std::string text(const Value& value);

}  // namespace spillway::config
