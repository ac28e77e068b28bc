#include "models/envoy/api/field_rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <re2/re2.h>

#include "models/documents/problem.hpp"
#include "models/documents/utf8.hpp"

namespace spillway::api {
namespace {

bool is_one_of(std::string_view text, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string bound_label(const Rules& rules) {
  std::string text;
  const auto say = [&](const std::optional<double>& bound, const char* words) {
    if (bound) {
      text += fmt::format("{}{} {}", text.empty() ? "must be " : " and ", words, *bound);
    }
  };
  say(rules.gt, "greater than");
  say(rules.gte, "at least");
  say(rules.lt, "less than");
  say(rules.lte, "at most");
  return text;
}

// True if the number satisfies the bounds. If gt is above lt, numbers outside of both are allowed.
bool in_bounds(double number, const Rules& rules) {
  const bool above = (!rules.gt || number > *rules.gt) && (!rules.gte || number >= *rules.gte);
  const bool below = (!rules.lt || number < *rules.lt) && (!rules.lte || number <= *rules.lte);
  return above && below;
}

std::string length_label(const Rules& rules, std::string_view unit) {
  if (rules.least > 0 && rules.most) {
    return fmt::format("must have {} to {} {}", rules.least, *rules.most, unit);
  }
  return rules.most ? fmt::format("must have at most {} {}", *rules.most, unit)
                    : fmt::format("must have at least {} {}", rules.least, unit);
}

// Source: protoc-gen-validate's regular expressions of well-known headers.
bool is_allowed_in_header(char letter, bool strict) {
  const auto byte = static_cast<unsigned char>(letter);
  return strict ? (byte >= 0x20 && byte != 0x7f) || byte == '\t' : byte != 0 && byte != '\n' && byte != '\r';
}

bool has_format(std::string_view text, const Rules& rules) {
  switch (rules.format) {
    case TextFormat::http_header_name:
      if (rules.strict) {
        return is_header_name(text);
      }
      [[fallthrough]];
    case TextFormat::http_header_value:
      return std::all_of(text.begin(), text.end(), [&](char c) { return is_allowed_in_header(c, rules.strict); });
    case TextFormat::any:
      break;
  }
  return true;
}

bool matches(std::string_view text, const std::string& pattern) {
  const re2::RE2 expression(pattern, re2::RE2::Quiet);
  return !expression.ok() || re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), expression);
}

}  // namespace

bool is_header_name(std::string_view text) {
  text.remove_prefix(text.starts_with(':') ? 1 : 0);
  constexpr std::string_view marks = "!#$%&'*+-.^_|~`";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

BrokenRule check_number(double number, const Rules& rules) {
  if (rules.ignore_empty && number == 0.0) {
    return {};
  }
  if (!in_bounds(number, rules)) {
    return {"SP023", bound_label(rules)};
  }
  const std::string text = fmt::format("{}", number);
  if (is_one_of(text, rules.not_in)) {
    return {"SP023", fmt::format("must not be {}", text)};
  }
  if (!rules.in.empty() && !is_one_of(text, rules.in)) {
    return {"SP023", fmt::format("must be one of {}", fmt::join(rules.in, ", "))};
  }
  return {};
}

BrokenRule check_text(std::string_view text, const Rules& rules) {
  if (rules.ignore_empty && text.empty()) {
    return {};
  }
  const std::size_t length = rules.in_bytes ? text.size() : documents::count_characters(text);
  if (length < rules.least || (rules.most && length > *rules.most)) {
    return {"SP024", length_label(rules, rules.in_bytes ? "bytes" : "characters")};
  }
  if (!has_format(text, rules)) {
    return {"SP024", rules.format == TextFormat::http_header_name ? "must be the name of a header"
                                                                  : "must be the value of a header"};
  }
  if (!rules.pattern.empty() && !matches(text, rules.pattern)) {
    return {"SP024", fmt::format("must match `{}`", rules.pattern)};
  }
  if (!text.starts_with(rules.prefix) || !text.ends_with(rules.suffix) ||
      text.find(rules.contains) == std::string_view::npos) {
    return {"SP024", fmt::format("must have `{}{}{}`", rules.prefix, rules.contains, rules.suffix)};
  }
  if (!rules.in.empty() && !is_one_of(text, rules.in)) {
    return {"SP025", fmt::format("must be one of {}", fmt::join(rules.in, ", "))};
  }
  if (is_one_of(text, rules.not_in) || (rules.constant && text != *rules.constant)) {
    return {"SP025",
            rules.constant ? fmt::format("must be `{}`", *rules.constant) : fmt::format("must not be `{}`", text)};
  }
  return {};
}

BrokenRule check_count(std::size_t count, const Rules& rules) {
  if (rules.ignore_empty && count == 0) {
    return {};
  }
  if (count < rules.least || (rules.most && count > *rules.most)) {
    return {"SP026", length_label(rules, "items")};
  }
  return {};
}

}  // namespace spillway::api
