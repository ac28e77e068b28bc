// A family of OpenMetrics: its header and its samples.
//
//   Family requests("spillway_requests", "counter", "", "Requests by what became of them.");
//   requests.begin_turn(sink);
//   requests.add({{"client", "shop"}}, std::uint64_t{12});
//   requests.end_turn();
//
// Source: the OpenMetrics specification 1.0, text format.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/text/percent.hpp"
#include "reports/text/sink.hpp"

namespace spillway::reports {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

// Returns "{client=\"shop\"}" without empty labels; empty if there are none.
[[nodiscard]] std::string labels_text(const Labels& labels);

// The samples of one family, which must be contiguous: written between begin_turn() and end_turn(). A family without
// samples prints nothing.
class Family {
 public:
  // Creates a family; `suffix_` is what the type adds to the name of its samples.
  Family(std::string name, std::string_view type, std::string_view unit, std::string_view help)
      : name_(std::move(name)),
        suffix_(type == "counter" ? "_total"
                : type == "info"  ? "_info"
                                  : "") {
    text_ = fmt::format("# TYPE {} {}\n", name_, type);
    if (!unit.empty()) {
      text_ += fmt::format("# UNIT {} {}\n", name_, unit);
    }
    text_ += fmt::format("# HELP {} {}\n", name_, help);
  }

  void add(const Labels& labels, double value) { add(suffix_, labels, shortest(value)); }
  void add(const Labels& labels, std::uint64_t value) { add(suffix_, labels, std::to_string(value)); }
  // Adds the count of a summary.
  void add_count(const Labels& labels, std::uint64_t count) { add("_count", labels, std::to_string(count)); }
  template <class Number>
  void add(const Labels& labels, const std::optional<Number>& value) {
    if (value) {
      add(labels, *value);
    }
  }

  // Sets the time of the following samples [s]; nullopt for no time.
  void set_time(std::optional<double> seconds) { time_ = seconds ? ' ' + shortest(*seconds) : std::string(); }

  void begin_turn(const Sink& sink) { sink_ = &sink; }
  void end_turn() {
    if (has_samples_) {
      (*sink_)(text_);
    }
    sink_ = nullptr;
    text_ = {};
  }

 private:
  void add(std::string_view suffix, const Labels& labels, const std::string& value) {
    if (sink_ == nullptr) {
      return;
    }
    has_samples_ = true;
    fmt::format_to(std::back_inserter(text_), "{}{}{} {}{}\n", name_, suffix, labels_text(labels), value, time_);
    write_full(text_, *sink_);
  }

  std::string name_;
  std::string_view suffix_;
  std::string text_;  // not written yet
  std::string time_;
  const Sink* sink_ = nullptr;
  bool has_samples_ = false;
};

}  // namespace spillway::reports
