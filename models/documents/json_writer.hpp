// Writes JSON as text, in the order of the calls, without a tree.
//
//   JsonText row = {{"service", name}, {"share", 0.5}, {"zone", nullptr}};
//   row.add("epochs", JsonText::array({1, 2}));
//   row.text();  // {"service":"backend","share":0.5,"zone":null,"epochs":[1,2]}
//
// Doubles have the fewest digits that read back as the same double, and always a point or an exponent ("1.0"); a double
// that is not finite is null. Control characters, quotes and backslashes are escaped; every other character is written
// as it is, and each sequence that is not UTF-8 becomes U+FFFD.
//
// Precondition: keys of an object are unique. Debug builds assert it.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway::documents {

struct Node;
struct JsonMember;

// A JSON value as compact text: no spaces, no line breaks. Copies are as expensive as copies of the text.
class JsonText {
 public:
  JsonText() : text_("null") {}
  JsonText(std::nullptr_t) : JsonText() {}
  JsonText(double number);
  JsonText(std::string_view string);
  JsonText(const std::string& string) : JsonText(std::string_view(string)) {}
  JsonText(const char* string) : JsonText(std::string_view(string)) {}
  template <std::same_as<bool> Bool>
  JsonText(Bool value) : text_(value ? "true" : "false") {}
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  JsonText(Integer number) : text_(std::to_string(number)) {}
  // Creates null if there is no value.
  template <class Value>
  JsonText(const std::optional<Value>& value) : text_(value ? JsonText(*value).text_ : "null") {}
  // Creates an array.
  template <class Value>
  JsonText(const std::vector<Value>& values) : text_("[]") {
    for (const Value& value : values) {
      push_back(value);
    }
  }
  // Creates an object.
  JsonText(std::initializer_list<JsonMember> members);

  [[nodiscard]] static JsonText object() { return JsonText(std::string("{}"), 0); }
  [[nodiscard]] static JsonText array(std::initializer_list<JsonText> values = {});

  // Returns a document's value as written in the file.
  [[nodiscard]] static JsonText of(const Node& node);

  // Removes spaces and line breaks between tokens. Precondition: valid JSON.
  [[nodiscard]] static JsonText of_text(std::string_view json);

  // Appends to an object. Null becomes an object.
  void add(std::string_view key, const JsonText& value);
  // Appends every member of another object.
  void add_members_of(const JsonText& object);
  // Appends to an array. Null becomes an array.
  void push_back(const JsonText& value);

  [[nodiscard]] bool is_null() const { return text_ == "null"; }
  // True for null, and for an object or array without elements.
  [[nodiscard]] bool empty() const { return is_null() || text_ == "{}" || text_ == "[]"; }
  [[nodiscard]] const std::string& text() const& noexcept { return text_; }
  [[nodiscard]] std::string text() && noexcept { return std::move(text_); }

 private:
  // The unused number distinguishes this constructor from that of a string.
  JsonText(std::string text, int /*already_json*/) : text_(std::move(text)) {}
  void append(char open, std::string_view element);
  [[nodiscard]] bool has_key(std::string_view written_key) const;

  std::string text_;
};

// A key and its value, for objects in braces.
struct JsonMember {
  std::string_view key;
  JsonText value;
};

// Returns the compact text with every character beyond ASCII escaped.
[[nodiscard]] std::string ascii_text(const JsonText& json);

// Returns the text with one element per line, nested elements indented by `spaces`. Ends without a newline.
[[nodiscard]] std::string indented(const JsonText& json, int spaces);

}  // namespace spillway::documents
