#include "models/envoy/api/api_tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "models/documents/grammar/fields.hpp"

namespace spillway::api {
namespace {

constexpr std::string_view of_messages = "message ";
constexpr std::string_view of_enums = "enum ";
constexpr std::string_view of_effects = "effects ";
constexpr std::string_view of_categories = "category ";

std::string_view next_part(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// The lines of a block, by the name in its first line.
using Blocks = std::unordered_map<std::string_view, std::string_view>;

struct BlockIndex {
  Blocks messages;
  Blocks enums;
  // By category and message: what it is read as.
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, std::string_view>> extensions;
  std::vector<std::string_view> names;  // of messages, in order
  std::vector<std::pair<std::string_view, std::string_view>> effects;
};

void add_blocks(std::string_view text, BlockIndex& index) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    std::string_view block = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    const std::string_view first = next_part(block, '\n');
    if (first.starts_with(of_categories)) {
      auto& taken = index.extensions[first.substr(of_categories.size())];
      while (!block.empty()) {
        constexpr std::string_view empty = "empty=";
        std::string_view line = next_part(block, '\n');
        const std::string_view message = next_part(line, ' ');
        taken.emplace(message, line.substr(std::min(empty.size(), line.size())));
      }
    } else if (first.starts_with(of_messages)) {
      index.names.push_back(first.substr(of_messages.size()));
      index.messages.emplace(index.names.back(), block);
    } else if (first.starts_with(of_enums)) {
      index.enums.emplace(first.substr(of_enums.size()), block);
    } else if (first.starts_with(of_effects)) {
      index.effects.emplace_back(first.substr(of_effects.size()), block);
    }
  }
}

const BlockIndex& block_index() {
  static const BlockIndex index = [] {
    BlockIndex all;
    constexpr std::size_t about = 2048;
    all.messages.reserve(about);
    for (const std::string_view text : table_texts()) {
      add_blocks(text, all);
    }
    return all;
  }();
  return index;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned byte = 0;
    if (text[at] == '%' && at + 2 < text.size() &&
        std::from_chars(text.data() + at + 1, text.data() + at + 3, byte, 16).ec == std::errc{}) {
      plain += static_cast<char>(byte);
      at += 2;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

double number_in(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  const bool empty_too = text.empty() || text.ends_with(',');
  while (!text.empty()) {
    words.push_back(unescaped(next_part(text, ',')));
  }
  if (empty_too) {
    words.emplace_back();
  }
  return words;
}

Kind kind_in(std::string_view word) {
  static constexpr std::array kinds = {
      std::pair{"bool", Kind::boolean},    std::pair{"int32", Kind::int32},    std::pair{"sint32", Kind::int32},
      std::pair{"sfixed32", Kind::int32},  std::pair{"int64", Kind::int64},    std::pair{"sint64", Kind::int64},
      std::pair{"sfixed64", Kind::int64},  std::pair{"uint32", Kind::uint32},  std::pair{"fixed32", Kind::uint32},
      std::pair{"uint64", Kind::uint64},   std::pair{"fixed64", Kind::uint64}, std::pair{"float", Kind::floating},
      std::pair{"double", Kind::floating}, std::pair{"string", Kind::string},  std::pair{"bytes", Kind::bytes}};
  const auto* const found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& entry) { return word == entry.first; });
  return found == kinds.end() ? Kind::message : found->second;
}

void read_kind(std::string_view word, ApiField& field) {
  if (word.starts_with("list:")) {
    field.shape = Shape::list;
    word.remove_prefix(5);
  } else if (word.starts_with("map:")) {
    field.shape = Shape::map;
    word.remove_prefix(4);
    field.key_kind = kind_in(next_part(word, ':'));
  }
  if (word.starts_with("enum:")) {
    field.kind = Kind::enumeration;
    field.type = word.substr(5);
    return;
  }
  field.kind = kind_in(word);
  field.type = word;
}

// True if Envoy 1.40 keeps the messages of a field unread when it loads a configuration. Source: --mode validate.
bool is_unread(std::string_view message, std::string_view field) noexcept {
  return field == "retry_policy_typed_config" || field == "typed_filter_metadata" ||
         (field == "action" && message == "envoy.config.route.v3.FilterAction") ||
         (field == "upstream_config" && message == "envoy.config.cluster.v3.Cluster") ||
         (field == "typed_dns_resolver_config" && message == "envoy.config.bootstrap.v3.Bootstrap") ||
         (field == "typed_value" && message == "envoy.extensions.filters.http.set_metadata.v3.Metadata");
}

ApiField field_in(std::string_view line) {
  ApiField field;
  next_part(line, ' ');
  field.name = next_part(line, ' ');
  field.json_name = grammar::lower_camel_case(field.name);
  read_kind(next_part(line, ' '), field);
  while (!line.empty()) {
    std::string_view value = next_part(line, ' ');
    const std::string_view name = next_part(value, '=');
    if (name == "oneof") {
      field.oneof = value;
    } else if (name == "deprecated") {
      field.deprecated = true;
    } else if (name == "disallowed") {
      field.disallowed = true;
    } else if (name == "category") {
      field.category = value;
    } else {
      field.rules.add(name, value);
    }
  }
  return field;
}

std::unique_ptr<ApiMessage> message_in(std::string_view name, std::string_view block) {
  auto message = std::make_unique<ApiMessage>(ApiMessage{.name = name});
  constexpr std::string_view required = "required ";
  while (!block.empty()) {
    const std::string_view line = next_part(block, '\n');
    if (line.starts_with(required)) {
      message->required_oneofs.push_back(line.substr(required.size()));
    } else if (!line.empty()) {
      message->fields.push_back(field_in(line));
      message->fields.back().unread = is_unread(message->name, message->fields.back().name);
    }
  }
  return message;
}

std::unique_ptr<ApiEnum> enum_in(std::string_view name, std::string_view block) {
  auto enumeration = std::make_unique<ApiEnum>(ApiEnum{.name = name});
  while (!block.empty()) {
    std::string_view line = next_part(block, '\n');
    const std::string_view number = next_part(line, ' ');
    EnumValue value{.name = next_part(line, ' ')};
    if (!value.name.empty()) {
      std::from_chars(number.data(), number.data() + number.size(), value.number);
      value.disallowed = line.find("disallowed") != std::string_view::npos;
      enumeration->values.push_back(value);
    }
  }
  return enumeration;
}

// Adds rules without a value, and bounds of numbers. Returns false if it is neither.
bool add_simple(Rules& rules, std::string_view name, std::string_view value) {
  const std::array flags = {std::pair{"required", &Rules::required}, std::pair{"skip", &Rules::skip},
                            std::pair{"defined_only", &Rules::defined_only},
                            std::pair{"ignore_empty", &Rules::ignore_empty}, std::pair{"unique", &Rules::unique}};
  for (const auto& [word, flag] : flags) {
    if (name == word) {
      rules.*flag = value != "false";
      return true;
    }
  }
  const std::array bounds = {std::pair{"gt", &Rules::gt}, std::pair{"gte", &Rules::gte}, std::pair{"lt", &Rules::lt},
                             std::pair{"lte", &Rules::lte}};
  for (const auto& [word, bound] : bounds) {
    if (name == word) {
      rules.*bound = number_in(value);
      return true;
    }
  }
  return false;
}

template <class Entry>
const Entry* known_or(std::unordered_map<std::string_view, std::unique_ptr<Entry>>& known, const Blocks& blocks,
                      std::string_view name, std::unique_ptr<Entry> (*parse)(std::string_view, std::string_view)) {
  if (const auto found = known.find(name); found != known.end()) {
    return found->second.get();
  }
  const auto block = blocks.find(name);
  if (block == blocks.end()) {
    return nullptr;
  }
  return known.emplace(block->first, parse(block->first, block->second)).first->second.get();
}

}  // namespace

void Rules::add(std::string_view name, std::string_view value) {
  for (const auto& [prefix_of, rules] :
       {std::pair{"items.", &Rules::items}, std::pair{"keys.", &Rules::keys}, std::pair{"values.", &Rules::values}}) {
    if (name.starts_with(prefix_of)) {
      auto& inner = this->*rules;
      inner = inner ? std::move(inner) : std::make_unique<Rules>();
      inner->add(name.substr(std::string_view(prefix_of).size()), value);
      return;
    }
  }
  if (add_simple(*this, name, value)) {
    return;
  }
  in_bytes = in_bytes || name == "min_bytes" || name == "max_bytes";
  if (name.starts_with("min_")) {
    least = static_cast<std::size_t>(number_in(value));
  } else if (name.starts_with("max_")) {
    most = static_cast<std::size_t>(number_in(value));
  } else if (name == "len") {
    least = static_cast<std::size_t>(number_in(value));
    most = least;
  } else if (name == "strict") {
    strict = false;
  } else if (name == "pattern") {
    pattern = unescaped(value);
  } else if (name == "prefix") {
    prefix = unescaped(value);
  } else if (name == "suffix") {
    suffix = unescaped(value);
  } else if (name == "contains") {
    contains = unescaped(value);
  } else if (name == "in") {
    in = words_in(value);
  } else if (name == "not_in") {
    not_in = words_in(value);
  } else if (name == "const") {
    constant = value.empty() ? "true" : unescaped(value);
  } else if (name == "well_known_regex") {
    format = value == "http_header_name" ? TextFormat::http_header_name : TextFormat::http_header_value;
  }
}

std::optional<std::size_t> ApiMessage::position(std::string_view key) const noexcept {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (key == fields[i].name || key == fields[i].json_name) {
      return i;
    }
  }
  return std::nullopt;
}

const ApiField* ApiMessage::field(std::string_view key) const noexcept {
  const auto at = position(key);
  return at ? &fields[*at] : nullptr;
}

const ApiMessage* Tables::message(std::string_view name) {
  return known_or(messages_, block_index().messages, name, message_in);
}

const ApiEnum* Tables::enumeration(std::string_view name) {
  return known_or(enums_, block_index().enums, name, enum_in);
}

Extension find_extension(std::string_view categories, std::string_view message) {
  while (!categories.empty()) {
    const auto known = block_index().extensions.find(next_part(categories, ','));
    if (known == block_index().extensions.end()) {
      continue;
    }
    const auto found = known->second.find(message);
    if (found != known->second.end() || known->second.contains("*")) {
      return {.taken = true, .read_as = found == known->second.end() ? std::string_view() : found->second};
    }
  }
  return {};
}

bool is_known_message(std::string_view type) {
  // Messages that configurations cannot reach are not in the tables.
  constexpr std::array elsewhere = {"google.protobuf.", "google.rpc.", "xds.",           "udpa.",
                                    "opentelemetry.",   "cel.",        "envoy.service.", "envoy.admin.v3",
                                    "envoy.data."};
  return (block_index().messages.contains(type) && !find_extension("absent", type).taken) ||
         std::any_of(elsewhere.begin(), elsewhere.end(), [&](const char* start) { return type.starts_with(start); });
}

std::vector<std::pair<std::string_view, std::string_view>> effect_blocks() {
  return block_index().effects;
}

std::vector<std::string_view> message_names() {
  return block_index().names;
}

}  // namespace spillway::api
