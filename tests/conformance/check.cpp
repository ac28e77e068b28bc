#include "tests/conformance/check.hpp"

#include <cmath>

namespace spillway::conformance {

namespace {

std::string difference(const std::string& field, const json& expected, const json& actual) {
  return field + ": expected " + expected.dump() + ", got " + actual.dump();
}

bool equal_when_rounded(const json& expected, const json& actual, double scale) {
  if (expected.is_array() || actual.is_array()) {
    if (!expected.is_array() || !actual.is_array() || expected.size() != actual.size()) {
      return false;
    }
    for (std::size_t entry = 0; entry < expected.size(); ++entry) {
      if (!equal_when_rounded(expected[entry], actual[entry], scale)) {
        return false;
      }
    }
    return true;
  }
  return std::round(expected.get<double>() * scale) == std::round(actual.get<double>() * scale);
}

}  // namespace

void Check::equal(const std::string& field, const json& actual) {
  seen_.insert(field);
  if (!expected_.contains(field)) {
    return;
  }
  if (expected_.at(field) != actual) {
    fail(difference(field, expected_.at(field), actual));
  }
}

void Check::equal_whole(const json& actual) {
  whole_seen_ = true;
  if (expected_ != actual) {
    fail(difference("all", expected_, actual));
  }
}

void Check::equal_if_expected(const std::string& field, const std::function<json()>& actual) {
  if (expects(field)) {
    equal(field, actual());
  }
}

void Check::refusal(const config::Refusal& refused, const json& expected) {
  whole_seen_ = true;
  const bool as_expected =
      expected.is_null() ? !refused : refused && refused->text.find(expected.get<std::string>()) != std::string::npos;
  if (!as_expected) {
    fail(difference("all", expected, refused ? json(refused->text) : json()));
  }
}

void Check::equal_rounded(const std::string& field, const json& actual, int decimals) {
  seen_.insert(field);
  if (expected_.contains(field) && !equal_when_rounded(expected_.at(field), actual, std::pow(10.0, decimals))) {
    fail(difference(field, expected_.at(field), actual));
  }
}

std::vector<std::string> Check::finish() {
  if (!expected_.is_object() && !whole_seen_) {
    fail("expected " + expected_.dump() + ", which no check has looked at");
    return differences_;
  }
  for (const auto& [field, value] : expected_.items()) {
    if (!whole_seen_ && !seen_.contains(field)) {
      fail(field + ": expected by the case, unknown here");
    }
  }
  return differences_;
}

}  // namespace spillway::conformance
