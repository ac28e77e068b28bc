#include "models/documents/json_writer.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/documents/node.hpp"
#include "models/documents/utf8.hpp"

namespace spillway::documents {
namespace {

// Formats a scalar by the library, which handles shortest doubles, escapes and invalid UTF-8 correctly.
std::string written_by_library(const nlohmann::json& scalar) {
  return scalar.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_written_as_it_is(unsigned char character) {
  constexpr unsigned char first_printable = 0x20;
  constexpr unsigned char first_beyond_ascii = 0x80;
  return character >= first_printable && character < first_beyond_ascii && character != '"' && character != '\\';
}

std::string quoted(std::string_view string) {
  if (!std::all_of(string.begin(), string.end(), is_written_as_it_is)) {
    return written_by_library(std::string(string));
  }
  std::string text;
  text.reserve(string.size() + 2);
  text += '"';
  text += string;
  text += '"';
  return text;
}

// Appends "\u00e9"; beyond U+FFFF two surrogates.
void append_escape(std::string& text, char32_t character) {
  constexpr char32_t first_beyond = 0x10000;
  constexpr char32_t first_high = 0xD800;
  constexpr char32_t first_low = 0xDC00;
  constexpr unsigned bits = 10;
  const auto append = [&](char32_t unit) { text += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(unit)); };
  if (character < first_beyond) {
    append(character);
    return;
  }
  append(first_high + ((character - first_beyond) >> bits));
  append(first_low + ((character - first_beyond) & ((1U << bits) - 1)));
}

// Returns the position after the string that begins at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at) {
    at += json[at] == '\\' ? 1 : 0;
  }
  return at + 1;
}

}  // namespace

JsonText::JsonText(double number) : text_(written_by_library(number)) {}

JsonText::JsonText(std::string_view string) : text_(quoted(string)) {}

JsonText::JsonText(std::initializer_list<JsonMember> members) : text_("{}") {
  for (const JsonMember& member : members) {
    add(member.key, member.value);
  }
}

JsonText JsonText::array(std::initializer_list<JsonText> values) {
  JsonText array("[]", 0);
  for (const JsonText& value : values) {
    array.push_back(value);
  }
  return array;
}

JsonText JsonText::of(const Node& node) {
  switch (node.kind) {
    case Kind::null:
      break;
    case Kind::boolean:
      return node.boolean;
    case Kind::integer:
      return node.negative ? JsonText(-static_cast<std::int64_t>(node.magnitude)) : JsonText(node.magnitude);
    case Kind::number:
      return node.number;
    case Kind::string:
      return node.text;
    case Kind::array: {
      JsonText array("[]", 0);
      for (const Node& item : node.items) {
        array.push_back(of(item));
      }
      return array;
    }
    case Kind::object: {
      JsonText object("{}", 0);
      for (const Member& member : node.members) {
        object.add(member.key, of(member.value));
      }
      return object;
    }
  }
  return nullptr;
}

JsonText JsonText::of_text(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t end = json[at] == '"' ? end_of_string(json, at) : at + 1;
    if (std::string_view(" \n\r\t").find(json[at]) == std::string_view::npos) {
      text += json.substr(at, end - at);
    }
    at = end;
  }
  return {std::move(text), 0};
}

void JsonText::append(char open, std::string_view element) {
  if (is_null()) {
    text_ = open == '{' ? "{}" : "[]";
  }
  assert(text_.front() == open);
  const char close = text_.back();
  text_.pop_back();
  if (text_.size() > 1) {
    text_ += ',';
  }
  text_ += element;
  text_ += close;
}

void JsonText::add(std::string_view key, const JsonText& value) {
  const std::string written_key = quoted(key);
  // Limit of the members among which debug builds search for a repeated key, which is a programming error. The search
  // takes quadratic time.
  [[maybe_unused]] constexpr std::size_t most_searched = 4096;
  assert(text_.size() > most_searched || !has_key(written_key));
  append('{', written_key + ':' + value.text_);
}

void JsonText::add_members_of(const JsonText& object) {
  assert(object.text_.front() == '{');
  if (!object.empty()) {
    append('{', std::string_view(object.text_).substr(1, object.text_.size() - 2));
  }
}

void JsonText::push_back(const JsonText& value) {
  append('[', value.text_);
}

bool JsonText::has_key(std::string_view written_key) const {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text_.size();) {
    if (text_[at] == '"') {
      const std::size_t end = end_of_string(text_, at);
      if (depth == 1 && text_[end] == ':' && std::string_view(text_).substr(at, end - at) == written_key) {
        return true;
      }
      at = end;
      continue;
    }
    depth += text_[at] == '{' || text_[at] == '[' ? 1 : 0;
    depth -= text_[at] == '}' || text_[at] == ']' ? 1 : 0;
    ++at;
  }
  return false;
}

std::string ascii_text(const JsonText& json) {
  constexpr char32_t last_of_ascii = 0x7E;
  const std::string_view compact = json.text();
  std::string text;
  text.reserve(compact.size());
  for (std::size_t at = 0; at < compact.size(); at += bytes_of_character(compact[at])) {
    const char32_t character = first_character(compact.substr(at));
    if (character > last_of_ascii) {
      append_escape(text, character);
    } else {
      text += compact[at];
    }
  }
  return text;
}

std::string indented(const JsonText& json, int spaces) {
  const std::string_view compact = json.text();
  std::string text;
  std::size_t depth = 0;
  const auto new_line = [&] { text += '\n' + std::string(depth * static_cast<std::size_t>(spaces), ' '); };
  for (std::size_t at = 0; at < compact.size();) {
    const char character = compact[at];
    if (character == '"') {
      const std::size_t end = end_of_string(compact, at);
      text += compact.substr(at, end - at);
      at = end;
      continue;
    }
    const bool opens = character == '{' || character == '[';
    const bool closes = character == '}' || character == ']';
    depth += opens ? 1 : 0;
    depth -= closes ? 1 : 0;
    if (closes && compact[at - 1] != '{' && compact[at - 1] != '[') {
      new_line();
    }
    text += character;
    if (character == ',' || (opens && compact[at + 1] != '}' && compact[at + 1] != ']')) {
      new_line();
    } else if (character == ':') {
      text += ' ';
    }
    ++at;
  }
  return text;
}

}  // namespace spillway::documents
