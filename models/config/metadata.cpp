#include "models/config/metadata.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "models/numeric/hash.hpp"

namespace spillway::config {

namespace {

std::uint64_t combine(std::uint64_t seed, std::uint64_t value) noexcept {
  const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
  return numeric::xxhash64({bytes.data(), bytes.size()}, seed);
}

std::uint64_t number_bits(double number) noexcept {
  return std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number);  // both zeros are equal
}

std::string number_text(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

auto position_of(std::vector<Field>& fields, std::string_view name) {
  return std::lower_bound(fields.begin(), fields.end(), name,
                          [](const Field& field, std::string_view wanted) { return field.name < wanted; });
}

}  // namespace

// Defined here because Field is complete only after both classes.
Struct::Struct() = default;
Struct::Struct(const Struct&) = default;
Struct::Struct(Struct&&) noexcept = default;
Struct& Struct::operator=(const Struct&) = default;
Struct& Struct::operator=(Struct&&) noexcept = default;
Struct::~Struct() = default;

const Value* Struct::find(std::string_view name) const noexcept {
  const auto found = std::lower_bound(fields_.begin(), fields_.end(), name,
                                      [](const Field& field, std::string_view wanted) { return field.name < wanted; });
  return found == fields_.end() || found->name != name ? nullptr : &found->value;
}

void Struct::set(std::string name, Value value) {
  const auto at = position_of(fields_, name);
  if (at != fields_.end() && at->name == name) {
    at->value = std::move(value);
  } else {
    fields_.insert(at, Field{std::move(name), std::move(value)});
  }
}

void Struct::remove(std::string_view name) {
  const auto at = position_of(fields_, name);
  if (at != fields_.end() && at->name == name) {
    fields_.erase(at);
  }
}

void Struct::merge(const Struct& other) {
  for (const Field& field : other.fields_) {
    set(field.name, field.value);
  }
}

// Not defaulted: clang 19 recurses endlessly if both operators are, because each needs the other.
bool operator==(const Struct& left, const Struct& right) {
  return left.fields_ == right.fields_;
}

bool operator==(const Value& left, const Value& right) {
  return left.content_ == right.content_;
}

std::uint64_t Value::hash() const noexcept {
  std::uint64_t result = content_.index();
  if (const auto* const truth = as_bool()) {
    return combine(result, *truth ? 1 : 0);
  }
  if (const auto* const number = as_number()) {
    return combine(result, number_bits(*number));
  }
  if (const auto* const string = as_string()) {
    return numeric::xxhash64(*string, result);
  }
  if (const auto* const list = as_list()) {
    for (const Value& element : *list) {
      result = combine(result, element.hash());
    }
  } else if (const auto* const object = as_struct()) {
    for (const Field& field : object->fields()) {
      result = combine(numeric::xxhash64(field.name, result), field.value.hash());
    }
  }
  return result;
}

std::string text(const Value& value) {
  if (const auto* const truth = value.as_bool()) {
    return *truth ? "true" : "false";
  }
  if (const auto* const number = value.as_number()) {
    return number_text(*number);
  }
  if (const auto* const string = value.as_string()) {
    return *string;
  }
  std::string result;
  const auto separate = [&result] { result += result.size() > 1 ? ", " : ""; };
  if (const auto* const list = value.as_list()) {
    result = "[";
    for (const Value& element : *list) {
      separate();
      result += text(element);
    }
    return result + "]";
  }
  if (const auto* const object = value.as_struct()) {
    result = "{";
    for (const Field& field : object->fields()) {
      separate();
      result += field.name + ": " + text(field.value);
    }
    return result + "}";
  }
  return "null";
}

}  // namespace spillway::config
