// Messages that correspond to structs of the models. One description reads the message from files into the model,
// prints its JSON Schema, and writes it. Fields have the model's names and defaults.
//
//   template <>
//   struct Grammar<config::RetryBudget> {
//     static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget";
//     static constexpr const char* refused = "this retry budget";    // only where Envoy refuses some: refusal(budget)
//     static void describe(Fields& fields, config::RetryBudget& budget);
//   };
//   void Grammar<config::RetryBudget>::describe(Fields& fields, config::RetryBudget& budget) {
//     fields.message();
//     optional(fields, "min_retry_concurrency", budget.min_retry_concurrency, Whole{0, largest_uint32}, "default: 3");
//   }
//   Field<Described<config::RetryBudget>> field;     // of a message that is read by hand, with its place
//   std::optional<config::RetryBudget> member;       // of one that is described, by Message<config::RetryBudget>{}
//   write_message(config::RetryBudget{...});         // {"min_retry_concurrency": 3}
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/envoy/api/described.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/api/refused.hpp"

namespace spillway::messages {

// Describes the message, and reports what Envoy refuses of it.
template <class T>
void describe(Fields& fields, Described<T>& object) {
  const std::size_t before = fields.problems();
  object.source.keep(fields);
  Grammar<T>::describe(fields, object);
  object.sound = fields.problems() == before;
  if constexpr (requires { Grammar<T>::refused; }) {
    if (object.sound) {
      refuse(refusal(object), Grammar<T>::refused, fields);
    }
  }
}

// Reads a message inside a google.protobuf.Any.
template <class T>
[[nodiscard]] Described<T> read_any(const AnyMessage& any, Diagnostics& problems) {
  Described<T> message;
  read_any(any, message, problems);
  return message;
}

// Returns all fields in protobuf's JSON, with defaults, so that other programs use the values simulated here.
template <class T>
[[nodiscard]] documents::Node write_message(const T& message) {
  documents::Node object;
  Fields fields(object);
  T copy = message;
  Grammar<T>::describe(fields, copy);
  return object;
}

// Returns a google.protobuf.Any of the message, and an envoy.config.core.v3.TypedExtensionConfig with one.
template <class T>
[[nodiscard]] documents::Node write_any(const T& message) {
  return write_any(Grammar<T>::definition, write_message(message));
}
template <class T>
[[nodiscard]] documents::Node write_extension(const std::string& name, const T& message) {
  documents::Node extension = message_with("name", grammar::Text{}.write(name));
  Fields(extension).write("typed_config", write_any(message));
  return extension;
}

// The shape of an object that is read into a struct of the models.
template <class T>
struct Message {
  using Value = T;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    Described<T> object;
    const bool is_object = grammar::Record<Described<T>>{}.read(node, object, what, problems);
    into = std::move(static_cast<T&>(object));
    return is_object;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::Record<Described<T>>{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const { return write_message(value); }
};

// The shape of an object that is read together with its place in the file.
template <class T>
struct Located : grammar::Record<Described<T>> {
  [[nodiscard]] documents::Node write(const Described<T>& value) const { return write_message<T>(value); }
};

// The shape of a list whose items need no places of their own. `help`: advice if an item is written instead of a list.
template <class Shape>
struct Items {
  using Value = std::vector<typename Shape::Value>;
  Shape shape{};
  const char* help = nullptr;
  std::uint64_t min_items = 0;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind == documents::Kind::object && help != nullptr) {
      grammar::wrong_kind(node, what, "a list", problems);
      problems.back().helps.emplace_back(help);
      typename Shape::Value alone{};
      static_cast<void>(shape.read(node, alone, what, problems));
      return false;
    }
    typename grammar::ListOf<Shape>::Value fields;
    const bool is_list = grammar::ListOf<Shape>{shape, min_items}.read(node, fields, what, problems);
    for (auto& field : fields) {
      into.push_back(std::move(field.value));
    }
    return is_list;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::ListOf<Shape>{shape, min_items}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const
    requires grammar::Writable<Shape>
  {
    documents::Node list;
    list.kind = documents::Kind::array;
    for (const auto& item : value) {
      list.items.push_back(shape.write(item));
    }
    return list;
  }
};

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Converts a shape's value to a model's number or enumeration, which is narrower. Precondition: the shape's bounds fit.
template <class Into, class Value>
[[nodiscard]] Into converted(Value value) {
  if constexpr (std::is_same_v<Into, Value>) {
    return value;
  } else if constexpr (IsOptional<Into>::value) {
    return converted<typename Into::value_type>(std::move(value));
  } else if constexpr (std::is_enum_v<Into> || std::is_enum_v<Value> || std::is_arithmetic_v<Into>) {
    return static_cast<Into>(value);
  } else {
    return Into(std::move(value));
  }
}

// True if the member must be written. False for empty strings, empty lists and non-optional messages with only
// defaults.
template <class Member>
[[nodiscard]] bool is_said(const Member& member) {
  if constexpr (IsOptional<Member>::value) {
    return member.has_value();
  } else if constexpr (requires { member.empty(); }) {
    return !member.empty();
  } else {
    return true;
  }
}

template <class Shape, class Member>
void write(Fields& fields, const char* name, const Member& member, const Shape& shape) {
  if (!is_said(member)) {
    return;
  }
  if constexpr (!grammar::Writable<Shape>) {
    throw std::logic_error(std::string(name) + " is read and not written");
  } else if constexpr (IsOptional<Member>::value) {
    fields.write(name, shape.write(converted<typename Shape::Value>(*member)));
  } else if (documents::Node value = shape.write(converted<typename Shape::Value>(member));
             value.kind != documents::Kind::object || !value.members.empty()) {
    fields.write(name, std::move(value));
  }
}

}  // namespace detail

// Maps a key to a member of a model's struct. The member keeps its value if the key is missing or cannot be read.
template <class Shape, class Member>
void optional(Fields& fields, const char* name, Member& into, const Shape& shape, const char* documentation) {
  if (fields.writing()) {
    detail::write(fields, name, into, shape);
    return;
  }
  Field<typename Shape::Value> field;
  fields.optional(name, field, shape, documentation);
  if (field.given) {
    into = detail::converted<Member>(std::move(field.value));
  }
}
template <class Shape, class Member>
void required(Fields& fields, const char* name, Member& into, const Shape& shape, const char* documentation) {
  optional(fields, name, into, shape, documentation);
  fields.require(name);
}

// Like optional(), but writes empty values too.
template <class Shape, class Member>
void always(Fields& fields, const char* name, Member& into, const Shape& shape, const char* documentation) {
  if (fields.writing()) {
    fields.write(name, shape.write(detail::converted<typename Shape::Value>(into)));
  } else {
    optional(fields, name, into, shape, documentation);
  }
}

// Like optional(), but omits a value equal to `usual`.
template <class Shape, class Member>
void optional_unless(const Member& usual, Fields& fields, const char* name, Member& into, const Shape& shape,
                     const char* documentation) {
  if (!fields.writing() || !(into == usual)) {
    always(fields, name, into, shape, documentation);
  }
}

// Maps a key to one alternative of a member that holds one of several messages.
template <class Alternative, class Shape, class... Alternatives>
void alternative(Fields& fields, const char* name, std::variant<Alternatives...>& into, const Shape& shape,
                 const char* documentation) {
  std::optional<Alternative> held;
  if (fields.writing() && std::holds_alternative<Alternative>(into)) {
    held = std::get<Alternative>(into);
  }
  optional(fields, name, held, shape, documentation);
  if (!fields.writing() && held) {
    into = *std::move(held);
  }
}

}  // namespace spillway::messages
