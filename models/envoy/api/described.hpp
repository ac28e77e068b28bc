// Messages that are structs of the models: one description each reads them from files straight into the model, prints
// their JSON Schema, and writes them for another program. Fields have the model's names and defaults; what the
// description forgets can neither be simulated nor exported.
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

#include "models/envoy/api/proto.hpp"
#include "models/envoy/api/refused.hpp"

namespace spillway::messages {

// What a struct of the models looks like in a file; specialised for each.
template <class T>
struct Grammar;

// As it is read, with where it stands.
template <class T>
struct Described : T {
  static constexpr const char* definition = Grammar<T>::definition;
  Source source = {};
  bool sound = true;  // nothing in it was wrong by itself
};
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

// A message that stands in a google.protobuf.Any.
template <class T>
[[nodiscard]] Described<T> read_any(const AnyMessage& any, Diagnostics& problems) {
  Described<T> message;
  read_any(any, message, problems);
  return message;
}

// All that it says, in protobuf's JSON where it is a message of Envoy's. Defaults are written too, so that another
// program takes what is simulated here whatever its own defaults are.
template <class T>
[[nodiscard]] documents::Node write_message(const T& message) {
  documents::Node object;
  Fields fields(object);
  T copy = message;
  Grammar<T>::describe(fields, copy);
  return object;
}

// A google.protobuf.Any of a message, and an envoy.config.core.v3.TypedExtensionConfig with one.
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

// An object that is read into a struct of the models.
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

// The same with where it stands.
template <class T>
struct Located : grammar::Record<Described<T>> {
  [[nodiscard]] documents::Node write(const Described<T>& value) const { return write_message<T>(value); }
};

// A list whose items need no places of their own. `help`: what to say where one item stands instead of a list.
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

// Numbers and enumerations of the models are narrower than what shapes read; their bounds are the shape's.
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

// Whether it says anything: no text and no list is as good as an empty one, and so is a message of defaults that is
// not optional.
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

// Keys into members of the models' structs; what is not written, or cannot be read, stays as it was.
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

// The same of what is written even where it is empty.
template <class Shape, class Member>
void always(Fields& fields, const char* name, Member& into, const Shape& shape, const char* documentation) {
  if (fields.writing()) {
    fields.write(name, shape.write(detail::converted<typename Shape::Value>(into)));
  } else {
    optional(fields, name, into, shape, documentation);
  }
}

// The same of what is not written where it is as by default.
template <class Shape, class Member>
void optional_unless(const Member& usual, Fields& fields, const char* name, Member& into, const Shape& shape,
                     const char* documentation) {
  if (!fields.writing() || !(into == usual)) {
    always(fields, name, into, shape, documentation);
  }
}

// A key for one alternative of a member that holds one of several messages.
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
