#include "models/config/protobuf_value.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "models/config/protobuf_wire.hpp"

namespace spillway::config {

namespace {

constexpr int deepest_value = 100;

// Calls visit(field, type, reader) for each field until it returns false. Returns true if the message is well formed
// and every visit succeeded.
template <class Visit>
bool for_each_field(std::string_view message, Visit visit) {
  WireReader reader(message);
  while (!reader.at_end()) {
    std::uint64_t field = 0;
    std::uint8_t type = 0;
    if (!reader.read_tag(field, type) || !visit(field, type, reader)) {
      return false;
    }
  }
  return true;
}

bool parse_value(std::string_view message, int depth, Value& into);

bool read_text(WireReader& reader, std::string& into) {
  std::string_view text;
  if (!reader.read_bytes(text) || !is_utf8(text)) {
    return false;
  }
  into = text;
  return true;
}

bool parse_entry(std::string_view message, int depth, Struct& into) {
  std::string name;
  Value value;
  const bool well = for_each_field(message, [&](std::uint64_t field, std::uint8_t type, WireReader& reader) {
    std::string_view part;
    if (type != WireType::bytes || field > 2) {
      return reader.skip(field, type);
    }
    return field == 1 ? read_text(reader, name) : reader.read_bytes(part) && parse_value(part, depth, value);
  });
  if (well) {
    into.set(std::move(name), std::move(value));
  }
  return well;
}

bool parse_struct(std::string_view message, int depth, Struct& into) {
  return for_each_field(message, [&](std::uint64_t field, std::uint8_t type, WireReader& reader) {
    std::string_view entry;
    return field == 1 && type == WireType::bytes ? reader.read_bytes(entry) && parse_entry(entry, depth, into)
                                                 : reader.skip(field, type);
  });
}

bool parse_list(std::string_view message, int depth, Value::List& into) {
  return for_each_field(message, [&](std::uint64_t field, std::uint8_t type, WireReader& reader) {
    std::string_view item;
    return field == 1 && type == WireType::bytes
               ? reader.read_bytes(item) && parse_value(item, depth, into.emplace_back())
               : reader.skip(field, type);
  });
}

// Reads field 5 or 6 of a Value: a Struct or a ListValue.
bool read_nested(std::uint64_t field, WireReader& reader, int depth, Value& into) {
  std::string_view part;
  if (!reader.read_bytes(part)) {
    return false;
  }
  Struct object;
  Value::List list;
  const bool well = field == 5 ? parse_struct(part, depth, object) : parse_list(part, depth, list);
  into = field == 5 ? Value(std::move(object)) : Value(std::move(list));
  return well;
}

bool parse_value(std::string_view message, int depth, Value& into) {
  return depth < deepest_value && for_each_field(
                                      message,
                                      [&](std::uint64_t field, std::uint8_t type, WireReader& reader) {
                                        std::uint64_t number = 0;
                                        std::string text;
                                        if ((field == 1 || field == 4) && type == WireType::varint) {
                                          const bool well = reader.read_varint(number);
                                          into = field == 1 ? Value() : Value(number != 0);
                                          return well;
                                        }
                                        if (field == 2 && type == WireType::fixed64) {
                                          const bool well = reader.read_fixed64(number);
                                          into = Value(std::bit_cast<double>(number));
                                          return well;
                                        }
                                        if (field == 3 && type == WireType::bytes) {
                                          const bool well = read_text(reader, text);
                                          into = Value(std::move(text));
                                          return well;
                                        }
                                        return (field == 5 || field == 6) && type == WireType::bytes
                                                   ? read_nested(field, reader, depth + 1, into)
                                                   : reader.skip(field, type);
                                      });
}

}  // namespace

std::optional<Value> parse_protobuf_value(std::string_view bytes) {
  Value value;
  return parse_value(bytes, 0, value) ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace spillway::config
