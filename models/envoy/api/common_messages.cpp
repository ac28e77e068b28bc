#include "models/envoy/api/common_messages.hpp"

namespace spillway::messages {

void Grammar<config::Percent>::describe(Fields& fields, config::Percent& percent) {
  fields.message();
  optional(fields, "value", percent.value,
           grammar::Number{0.0, 100.0,
                           "Envoy refuses others: PercentValidationError.Value: value must be inside range [0, 100]"},
           "from 0 to 100; default: 0");
}

void Grammar<config::StatusRange>::describe(Fields& fields, config::StatusRange& range) {
  fields.message();
  optional(fields, "start", range.start, Int64{}, "included; default: 0");
  optional(fields, "end", range.end, Int64{}, "not included; default: 0");
}

namespace {

struct RuntimeDoubleMessage {
  double default_value = 0.0;
};

struct UncheckedPercentMessage {
  double value = 0.0;
};

}  // namespace

template <>
struct Grammar<UncheckedPercentMessage> {
  static constexpr const char* definition = "envoy.type.v3.Percent.unchecked";
  static void describe(Fields& fields, UncheckedPercentMessage& message) {
    fields.message();
    optional(fields, "value", message.value, any_double, "percent; default: 0");
  }
};

bool UncheckedPercent::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  UncheckedPercentMessage message;
  const bool read = Message<UncheckedPercentMessage>{}.read(node, message, what, problems);
  into.value = message.value;
  return read;
}

grammar::Schema UncheckedPercent::schema(grammar::Definitions& definitions) const {
  return Message<UncheckedPercentMessage>{}.schema(definitions);
}

documents::Node UncheckedPercent::write(const Value& value) const {
  return write_message(UncheckedPercentMessage{value.value});
}

template <>
struct Grammar<RuntimeDoubleMessage> {
  static constexpr const char* definition = "envoy.config.core.v3.RuntimeDouble";
  static void describe(Fields& fields, RuntimeDoubleMessage& message) {
    fields.message();
    optional(fields, "default_value", message.default_value, any_double, "the value; default: 0");
    fields.without_influence({"runtime_key"});
  }
};

bool RuntimeDouble::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  RuntimeDoubleMessage message;
  const bool read = Message<RuntimeDoubleMessage>{}.read(node, message, what, problems);
  into = message.default_value;
  return read;
}

grammar::Schema RuntimeDouble::schema(grammar::Definitions& definitions) const {
  return Message<RuntimeDoubleMessage>{}.schema(definitions);
}

documents::Node RuntimeDouble::write(const Value& value) const {
  documents::Node message = write_message(RuntimeDoubleMessage{value});
  // Envoy requires a key.
  message.members.push_back({"runtime_key", {}, grammar::Text{}.write("spillway.unset")});
  return message;
}

}  // namespace spillway::messages
