#include "reports/json_text.hpp"

namespace spillway::reports {
namespace {

class LineBreaker {
 public:
  explicit LineBreaker(std::string_view compact) : compact_(compact) {}

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
    return text_ + '\n';
  }

 private:
  // Elements of what is open stand on lines of their own: of the outermost object and of arrays right in it.
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
  std::string text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool array_in_outermost_ = false;
};

}  // namespace

std::string json_lines(std::string_view compact) {
  return LineBreaker(compact).text();
}

}  // namespace spillway::reports
