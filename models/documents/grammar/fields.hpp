// One description per object serves three users, which therefore agree: the reader of files, the writer of the JSON
// Schema and, if the object is a struct of the models (message_shapes.hpp), the writer of messages.
//
//   struct WrittenLink {
//     static constexpr const char* definition = "link";
//     Field<std::vector<Field<std::string>>> between;
//     Field<Nanoseconds> latency;
//   };
//   inline void describe(Fields& fields, WrittenLink& link) {
//     fields.required("between", link.between, ListOf<Text>{{}, 2, 2}, "the two zones");
//     fields.optional("latency", link.latency, DurationText{}, "one way; default: 0s");
//     fields.not_simulated("bandwidth", "links are without limit");
//   }
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"
#include "models/documents/grammar/schema.hpp"
#include "models/documents/node.hpp"

namespace spillway::grammar {

class Fields {
 public:
  // Reads the members of an object; problems are added to `problems`.
  Fields(const documents::Node& object, Diagnostics& problems) : object_(&object), problems_(&problems) {}
  // Writes the schema of the object into `schema`.
  Fields(Schema& schema, Definitions& definitions) : schema_(&schema), definitions_(&definitions) {}
  // Writes a message: `into` becomes an object with the members that the description adds.
  explicit Fields(documents::Node& into) : into_(&into) { into.kind = documents::Kind::object; }

  // Returns the object that is read; null while a schema or message is written.
  [[nodiscard]] const documents::Node* object() const noexcept { return object_; }
  // Returns the number of problems found so far; 0 while a schema or message is written.
  [[nodiscard]] std::size_t problems() const noexcept { return problems_ == nullptr ? 0 : problems_->size(); }
  // Returns the diagnostics to add to. Precondition: an object is being read.
  [[nodiscard]] Diagnostics& reported() const noexcept { return *problems_; }

  [[nodiscard]] bool writing() const noexcept { return into_ != nullptr; }
  void write(const char* name, documents::Node value) { into_->members.push_back({name, {}, std::move(value)}); }

  // Marks the object as a protobuf message in JSON: each key may also be written in lowerCamelCase.
  void message() { message_ = true; }

  template <class Shape, class Value>
  void required(const char* name, Field<Value>& into, const Shape& shape, const char* documentation) {
    field(name, into, shape, documentation);
    require(name);
  }
  template <class Shape, class Value>
  void optional(const char* name, Field<Value>& into, const Shape& shape, const char* documentation) {
    field(name, into, shape, documentation);
  }

  // Reports the object if the key is missing.
  void require(const char* name);
  using Names = std::vector<const char*>;
  void exactly_one(const Names& names);
  void at_least_one(const Names& names);
  void at_most_one(const Names& names);
  // Requires `other` if `name` is written.
  void needs(const char* name, const char* other);

  // Accepts keys with any value that have no effect on the simulation.
  void without_influence(std::initializer_list<const char*> names);
  // Accepts a field without influence whose value Envoy checks.
  template <class Shape>
  void idle(const char* name, const Shape& shape) {
    Field<typename Shape::Value> ignored;
    field(name, ignored, shape, "accepted; has no influence on where requests go");
  }
  // Refuses a key whose effect this version does not simulate; `word` is the label of the error.
  void not_simulated(const char* name, const char* word);
  // Refuses a key of an older Envoy, and suggests the current one.
  void formerly(const char* old, const char* today);

  // Ends the description: reports the remaining members as unknown keys.
  void finish();

 private:
  template <class Shape, class Value>
  void field(const char* name, Field<Value>& into, const Shape& shape, const char* documentation) {
    if (schema_ != nullptr) {
      add_property(name, shape.schema(*definitions_), documentation);
      return;
    }
    if (writing()) {
      return;
    }
    if (const documents::Member* member = take(name)) {
      into.present = true;
      into.where = member->value.span;
      into.key = member->key_span;
      into.given = shape.read(member->value, into.value, name, *problems_);
    }
  }

  // True if an object is read. If a schema is written, adds the keys to one of its rules.
  bool reading_else_add(const Names& names, std::vector<std::vector<std::string>> Schema::* rule);
  void report_left_over(const documents::Member& member, const std::vector<std::string>& known);
  [[nodiscard]] std::vector<std::string> spellings(std::string_view name) const;
  void add_property(const char* name, Schema schema, const char* documentation);
  [[nodiscard]] const documents::Member* take(std::string_view name);
  [[nodiscard]] const documents::Member* written(std::string_view name) const;
  [[nodiscard]] std::vector<const documents::Member*> all_written(const Names& names) const;
  [[nodiscard]] std::vector<std::string> all_spellings(const Names& names) const;

  const documents::Node* object_ = nullptr;
  documents::Node* into_ = nullptr;
  Diagnostics* problems_ = nullptr;
  Schema* schema_ = nullptr;
  Definitions* definitions_ = nullptr;
  bool message_ = false;
  std::vector<const char*> known_;
  std::vector<std::pair<const char*, const char*>> not_simulated_;
  std::vector<std::pair<const char*, const char*>> formerly_;
};

// Returns "lbPolicy" for "lb_policy".
[[nodiscard]] std::string lower_camel_case(std::string_view snake_case);

// Returns "`a`, `b` or `c`".
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::string_view last = "or");

}  // namespace spillway::grammar
