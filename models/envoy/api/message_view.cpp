#include "models/envoy/api/message_view.hpp"

#include <algorithm>

#include "models/config/lower_ascii.hpp"

namespace spillway::api {
namespace {

// Returns the value in a wrapper such as google.protobuf.UInt32Value, which may be written as a message.
const documents::Node* unwrapped(const documents::Node* node) {
  return node != nullptr && node->kind == documents::Kind::object ? MessageView(node).find("value") : node;
}

void append_items(const documents::Node& value, std::vector<MessageView>& list) {
  if (value.kind != documents::Kind::array) {
    list.emplace_back(value);
  }
  for (const documents::Node& item : value.items) {
    append_items(item, list);
  }
}

}  // namespace

bool names_field(std::string_view key, std::string_view field) noexcept {
  if (key == field) {
    return true;
  }
  std::size_t at = 0;
  bool upper = false;
  for (const char letter : field) {
    if (letter == '_') {
      upper = true;
      continue;
    }
    if (at == key.size() ||
        (upper ? config::to_lower_ascii(key[at]) != letter || key[at] == letter : key[at] != letter)) {
      const bool digit = upper && at < key.size() && key[at] == letter && (letter < 'a' || letter > 'z');
      if (!digit) {
        return false;
      }
    }
    ++at;
    upper = false;
  }
  return at == key.size();
}

std::string_view after_slash(std::string_view type_url) noexcept {
  return type_url.substr(type_url.find_last_of('/') + 1);
}

bool is_typed_struct(std::string_view type) noexcept {
  return type == "xds.type.v3.TypedStruct" || type == "udpa.type.v1.TypedStruct";
}

const documents::Node* MessageView::find(std::string_view field) const {
  if (node_ == nullptr) {
    return nullptr;
  }
  for (const documents::Member& member : node_->members) {
    if (member.value.kind != documents::Kind::null && names_field(member.key, field)) {
      return &member.value;
    }
  }
  return nullptr;
}

Span MessageView::place(std::string_view field) const {
  const documents::Node* const value = find(field);
  return value == nullptr ? node_->span : value->span;
}

std::vector<MessageView> MessageView::items(std::string_view field) const {
  std::vector<MessageView> list;
  if (const documents::Node* const value = find(field)) {
    append_items(*value, list);
  }
  return list;
}

std::string MessageView::text(std::string_view field) const {
  const documents::Node* const value = unwrapped(find(field));
  return value == nullptr || value->kind != documents::Kind::string ? std::string() : value->text;
}

double MessageView::number(std::string_view field, double otherwise) const {
  const documents::Node* const written = find(field);
  if (written == nullptr) {
    return otherwise;
  }
  const documents::Node* const value = unwrapped(written);
  return value == nullptr ? 0 : number_of(*value).value_or(otherwise);
}

double MessageView::seconds(std::string_view field, double otherwise) const {
  const documents::Node* const value = find(field);
  return value == nullptr ? otherwise : seconds_of(*value).value_or(otherwise);
}

bool MessageView::flag(std::string_view field, bool otherwise) const {
  const documents::Node* const written = find(field);
  if (written == nullptr) {
    return otherwise;
  }
  const documents::Node* const value = unwrapped(written);
  return value != nullptr && boolean_of(*value).value_or(otherwise);
}

bool MessageView::is(std::string_view field, std::string_view word, double number) const {
  const documents::Node* const value = find(field);
  if (value == nullptr) {
    return number == 0;
  }
  const auto same = [](char named, char written) {
    return named == '_' ? written == '_' || written == '-'
                        : config::to_lower_ascii(named) == config::to_lower_ascii(written);
  };
  return std::equal(word.begin(), word.end(), value->text.begin(), value->text.end(), same) ||
         number_of(*value) == number;
}

std::string MessageView::any_type() const {
  const std::string type(after_slash(text("@type")));
  return is_typed_struct(type) ? std::string(after_slash(text("type_url"))) : type;
}

MessageView MessageView::any_message() const {
  return is_typed_struct(after_slash(text("@type"))) ? message("value") : *this;
}

}  // namespace spillway::api
