#include "models/envoy/api/proto.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "models/documents/problem.hpp"

namespace spillway::messages {

using documents::Kind;

const documents::Member* Source::member(std::string_view field) const {
  if (object == nullptr) {
    return nullptr;
  }
  const documents::Member* const member = object->find(field);
  return member == nullptr ? object->find(grammar::lower_camel_case(field)) : member;
}

std::optional<Span> Source::place_of(std::string_view field) const {
  const documents::Member* const member = this->member(field);
  return member == nullptr ? std::nullopt : std::optional(member->value.span);
}

Field<std::string> Source::text(std::string_view field, std::string value) const {
  const documents::Member* const member = this->member(field);
  const bool given = !value.empty();
  return member == nullptr ? Field<std::string>{}
                           : Field<std::string>{std::move(value), member->value.span, member->key_span, true, given};
}

std::optional<Span> Source::key_of(std::string_view field) const {
  const documents::Member* const member = this->member(field);
  return member == nullptr ? std::nullopt : std::optional(member->key_span);
}

std::vector<Source> Source::items_of(std::string_view field) const {
  const documents::Member* const member = this->member(field);
  if (member == nullptr) {
    return {};
  }
  if (member->value.kind != Kind::array) {
    return {{&member->value}};
  }
  std::vector<Source> items;
  for (const documents::Node& item : member->value.items) {
    items.push_back({&item});
  }
  return items;
}

bool Uint32::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  std::uint64_t value = 0;
  const bool read = grammar::Whole{minimum, maximum}.read(node, value, what, problems);
  into = static_cast<std::uint32_t>(value);
  return read;
}

grammar::Schema Uint32::schema(grammar::Definitions& definitions) const {
  return grammar::Whole{minimum, maximum}.schema(definitions);
}

bool Uint64::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::string || node.protobuf) {
    return grammar::Whole{}.read(node, into, what, problems);
  }
  const std::string& text = node.text;
  const bool digits = !text.empty() && text.size() <= 15 &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) {
    grammar::wrong_spelling(node, what, "a whole number", problems);
    return false;
  }
  std::from_chars(text.data(), text.data() + text.size(), into);
  return true;
}

grammar::Schema Uint64::schema(grammar::Definitions& definitions) const {
  grammar::Schema text;
  text.type = "string";
  text.pattern = "^[0-9]{1,15}$";
  grammar::Schema schema;
  schema.any_of = {grammar::Whole{}.schema(definitions), text};
  return schema;
}

bool Int64::read(const documents::Node& written, Value& into, std::string_view what, Diagnostics& problems) const {
  documents::Node room;
  const documents::Node& node = grammar::plain_value(written, Kind::integer, false, room);
  constexpr std::uint64_t most = 999'999'999'999'999;
  if (node.kind == Kind::integer) {
    if (node.magnitude > most) {
      grammar::wrong_spelling(node, what, "a whole number of at most 15 digits", problems);
      return false;
    }
    into = node.negative ? -static_cast<std::int64_t>(node.magnitude) : static_cast<std::int64_t>(node.magnitude);
    return true;
  }
  if (node.kind != Kind::string) {
    grammar::wrong_kind(node, what, "a whole number", problems);
    return false;
  }
  const std::string_view digits = std::string_view(node.text).substr(node.text.starts_with('-') ? 1 : 0);
  const bool well = !digits.empty() && digits.size() <= 15 &&
                    std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!well) {
    grammar::wrong_spelling(node, what, "a whole number of at most 15 digits", problems);
    return false;
  }
  std::from_chars(node.text.data(), node.text.data() + node.text.size(), into);
  return true;
}

grammar::Schema Int64::schema(grammar::Definitions& /*definitions*/) const {
  grammar::Schema number;
  number.type = "integer";
  number.minimum = -999'999'999'999'999.0;
  number.maximum = 999'999'999'999'999.0;
  grammar::Schema text;
  text.type = "string";
  text.pattern = "^-?[0-9]{1,15}$";
  grammar::Schema schema;
  schema.any_of = {std::move(number), std::move(text)};
  return schema;
}

documents::Node Int64::write(const Value& value) const {
  documents::Node node = grammar::Whole{}.write(static_cast<std::uint64_t>(value < 0 ? -value : value));
  node.negative = value < 0;
  node.number = static_cast<double>(value);
  return node;
}

bool Unread::read(const documents::Node& node, Value& into, std::string_view /*what*/,
                  Diagnostics& /*problems*/) const {
  into = &node;
  return true;
}

bool RuntimeLayerShape::read(const documents::Node& node, Value& into, std::string_view what,
                             Diagnostics& problems) const {
  if (node.kind != Kind::object) {
    grammar::wrong_kind(node, what, "an object", problems);
    return false;
  }
  into = &node;
  return true;
}

grammar::Schema RuntimeLayerShape::schema(grammar::Definitions& /*definitions*/) const {
  grammar::Schema schema;
  schema.type = "object";
  schema.open = true;
  return schema;
}

grammar::Schema Unread::schema(grammar::Definitions& /*definitions*/) const {
  return {};
}

namespace {

// Reads a message whose fields are in a google.protobuf.Struct next to the name of its type.
bool read_typed_struct(const documents::Node& node, AnyMessage& into, Diagnostics& problems) {
  static const documents::Node no_fields = [] {
    documents::Node empty;
    empty.kind = Kind::object;
    empty.protobuf = true;
    return empty;
  }();
  Field<std::string> type;
  Field<const documents::Node*> value;
  Fields fields(node, problems);
  fields.message();
  fields.without_influence({"@type"});
  fields.optional("type_url", type, any_length, "");
  fields.optional("value", value, Unread{}, "");
  fields.finish();
  into.type = type.value_or("");
  into.type.erase(0, into.type.rfind('/') + 1);
  into.node = value ? *value : &no_fields;
  if (into.node->kind != Kind::object) {
    grammar::wrong_kind(*into.node, "value", "an object", problems);
    return false;
  }
  return type.present == type.given;
}

}  // namespace

bool AnyShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::object) {
    grammar::wrong_kind(node, what, "an object", problems);
    return false;
  }
  const documents::Member* type = node.find("@type");
  if (type == nullptr) {
    problems.error("SP021", node.span, "missing key `@type`", "has no `@type`");
    return false;
  }
  if (!not_empty.read(type->value, into.type, "@type", problems)) {
    return false;
  }
  into.type.erase(0, into.type.rfind('/') + 1);
  into.node = &node;
  return into.type != "xds.type.v3.TypedStruct" && into.type != "udpa.type.v1.TypedStruct"
             ? true
             : read_typed_struct(node, into, problems);
}

documents::Node message_with(const char* field, documents::Node value) {
  documents::Node message;
  Fields(message).write(field, std::move(value));
  return message;
}

documents::Node write_any(const std::string& type, const documents::Node& message) {
  documents::Node any = message_with("@type", grammar::Text{}.write("type.googleapis.com/" + type));
  any.members.insert(any.members.end(), message.members.begin(), message.members.end());
  return any;
}

Diagnostic wrong_type(const AnyMessage& message, Span where, std::string expected) {
  const std::string today = todays_type(message.type);
  if (today.empty()) {
    return error("SP302", where, "`{}` is not supported yet", "{}", {message.type, expected});
  }
  return error("SP028", where, "`{}` is a message of an older Envoy", "today: `{}`", {message.type, today})
      .help("did you mean `{}`?", {today});
}

grammar::Schema AnyShape::schema(grammar::Definitions& definitions) const {
  grammar::Schema schema;
  schema.type = "object";
  schema.open = true;
  grammar::Schema type = not_empty.schema(definitions);
  type.description = "what message it is: type.googleapis.com/<name>";
  schema.properties.push_back({"@type", std::move(type)});
  schema.exactly_one.push_back({"@type"});
  return schema;
}

}  // namespace spillway::messages
