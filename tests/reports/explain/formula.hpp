// Works out the formulas of explanations: + - * / %, min, max, trunc, ceil, parentheses and decimal numbers.
//
//   evaluate("min(100, trunc(140 * 6 / 10))");   // 84
//
// Absent where the text is no formula.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace spillway::support {

class FormulaReader {
 public:
  explicit FormulaReader(const std::string& text) : text_(text) {}

  std::optional<long double> read() {
    const long double value = sum();
    skip_blanks();
    return good_ && at_ == text_.size() ? std::optional(value) : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  bool take(char character) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == character) {
      ++at_;
      return true;
    }
    return false;
  }

  long double sum() {
    long double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  long double product() {
    long double value = factor();
    while (true) {
      if (take('*')) {
        value *= factor();
      } else if (take('/')) {
        value /= factor();
      } else if (take('%')) {
        value = std::fmod(value, factor());
      } else {
        return value;
      }
    }
  }

  long double factor() {
    if (take('(')) {
      const long double value = sum();
      good_ = take(')') && good_;
      return value;
    }
    std::string word;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) {
      word += text_[at_++];
    }
    return word.empty() ? number() : call(word);
  }

  long double call(const std::string& name) {
    good_ = take('(') && good_;
    std::vector<long double> values{sum()};
    while (take(',')) {
      values.push_back(sum());
    }
    good_ = take(')') && good_;
    if (name == "min") {
      return *std::min_element(values.begin(), values.end());
    }
    if (name == "max") {
      return *std::max_element(values.begin(), values.end());
    }
    good_ = good_ && values.size() == 1 && (name == "trunc" || name == "ceil");
    return name == "ceil" ? std::ceil(values.front()) : std::trunc(values.front());
  }

  long double number() {
    std::size_t length = 0;
    try {
      const long double value = std::stold(text_.substr(at_), &length);
      at_ += length;
      return value;
    } catch (const std::exception&) {
      good_ = false;
      at_ = text_.size();
      return 0.0L;
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

inline std::optional<long double> evaluate(const std::string& formula) {
  return FormulaReader(formula).read();
}

}  // namespace spillway::support
