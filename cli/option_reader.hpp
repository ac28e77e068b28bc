// Parses options one by one and keeps the first problem.
#pragma once

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "cli/option_text.hpp"
#include "cli/usage_problem.hpp"
#include "models/documents/grammar/scalars.hpp"
#include "sim/diff/upgrade.hpp"

namespace spillway::cli {

class OptionReader {
 public:
  // Returns the first problem; nullopt if there is none.
  [[nodiscard]] const std::optional<UsageProblem>& problem() const noexcept { return problem_; }

  void refuse(UsageProblem problem) {
    if (!problem_) {
      problem_ = std::move(problem);
    }
  }

  // Parses a number from `least` to `most`. `wanted` describes the accepted values: "a whole number, 1 or more".
  template <class Number>
  std::optional<Number> number(const std::string& option, const std::optional<std::string>& text, Number least,
                               const std::string& wanted, Number most = std::numeric_limits<Number>::max()) {
    if (!text) {
      return std::nullopt;
    }
    const std::optional<Number> number = number_of<Number>(*text);
    if (!number || *number < least || *number > most) {
      refuse(bad_value(option, *text, "it takes " + wanted));
    }
    return number;
  }

  std::optional<std::chrono::nanoseconds> moment(const std::string& option, const std::optional<std::string>& text) {
    const auto at = text ? grammar::read_duration(*text) : std::nullopt;
    if (text && !at) {
      refuse(bad_value(option, *text, "it takes a time such as 20s or 1.5m"));
    }
    return at;
  }

  // Parses a time above 0. `examples`: "1s or 500ms".
  std::optional<std::chrono::nanoseconds> length(const std::string& option, const std::optional<std::string>& text,
                                                 const std::string& examples) {
    const auto time = text ? grammar::read_duration(*text) : std::nullopt;
    if (text && (!time || *time <= std::chrono::nanoseconds{0})) {
      refuse(bad_value(option, *text, "it takes a time above 0, such as " + examples));
    }
    return time;
  }

  std::optional<std::uint32_t> release(const char* option, const std::optional<std::string>& text) {
    const auto found = text ? release_of(*text) : std::nullopt;
    if (text && !found) {
      refuse(bad_value(option, *text,
                       fmt::format("it takes envoy=release-1.{} to envoy=release-1.{}", diff::oldest_release,
                                   diff::newest_release)));
    }
    return found;
  }

 private:
  std::optional<UsageProblem> problem_;
};

}  // namespace spillway::cli
