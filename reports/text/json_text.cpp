#include "reports/text/json_text.hpp"

#include <utility>

namespace spillway::reports {
namespace {

class LineBreaker {
 public:
  // Prepares the output; `depth` is the number of enclosing objects and arrays.
  explicit LineBreaker(std::string_view compact, int depth = 0) : compact_(compact), depth_(depth) {}

  std::string text() {
    for (; at_ < compact_.size(); ++at_) {
      const char character = compact_[at_];
      if (character == '"') {
        copy_string();
      } else if (character == '{' || character == '[') {
        open(character);
      } else if (character == '}' || character == ']') {
        close(character);
      } else if (character == ',') {
        text_ += breaks() ? "," : ", ";
        if (breaks()) {
          new_line();
        }
      } else {
        text_ += character;
        if (character == ':') {
          text_ += ' ';
        }
      }
    }
    return std::move(text_);
  }

 private:
  // True if elements have lines of their own: in the outermost object and in arrays directly inside it.
  [[nodiscard]] bool breaks() const { return depth_ == 1 || (depth_ == 2 && array_in_outermost_); }

  void new_line() { text_ += '\n' + std::string(static_cast<std::size_t>(2 * depth_), ' '); }

  void open(char bracket) {
    text_ += bracket;
    ++depth_;
    if (depth_ == 2) {
      array_in_outermost_ = bracket == '[';
    }
    const char next = compact_[at_ + 1];
    if (breaks() && next != ']' && next != '}') {
      new_line();
    }
  }

  void close(char bracket) {
    const bool broken = breaks();
    const char last = compact_[at_ - 1];
    --depth_;
    if (broken && last != '[' && last != '{') {
      new_line();
    }
    text_ += bracket;
  }

  void copy_string() {
    const std::size_t begin = at_++;
    while (compact_[at_] != '"') {
      at_ += compact_[at_] == '\\' ? 2 : 1;
    }
    text_ += compact_.substr(begin, at_ - begin + 1);
  }

  std::string_view compact_;
  int depth_;
  std::string text_;
  std::size_t at_ = 0;
  bool array_in_outermost_ = false;
};

}  // namespace

std::string json_lines(std::string_view compact) {
  return LineBreaker(compact).text() + '\n';
}

void JsonLines::add(std::string_view key, std::string_view value) {
  begin_member(key);
  text_ += LineBreaker(value, 2).text();
  write_full();
}

void JsonLines::begin_array(std::string_view key) {
  begin_member(key);
  text_ += '[';
  first_row_ = true;
}

void JsonLines::add_row(std::string_view value) {
  text_ += first_row_ ? "\n    " : ",\n    ";
  first_row_ = false;
  text_ += LineBreaker(value, 2).text();
  write_full();
}

void JsonLines::end_array() {
  text_ += first_row_ ? "]" : "\n  ]";
}

void JsonLines::end() {
  text_ += first_member_ ? "}\n" : "\n}\n";
  write_(text_);
  text_.clear();
}

void JsonLines::begin_member(std::string_view key) {
  text_ += first_member_ ? "\n  \"" : ",\n  \"";
  text_ += key;
  text_ += "\": ";
  first_member_ = false;
}

void JsonLines::write_full() {
  constexpr std::size_t full = 1U << 16U;
  if (text_.size() >= full) {
    write_(text_);
    text_.clear();
  }
}

}  // namespace spillway::reports
