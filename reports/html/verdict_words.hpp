// The verdict at the top of a page.
#pragma once

#include <string>
#include <vector>

#include "reports/html/page.hpp"

namespace spillway::reports {
struct Report;  // formats.hpp
}  // namespace spillway::reports

namespace spillway::reports::html {

enum class Tone { good, wary, bad };

struct HeadVerdict {
  Tone tone = Tone::good;
  std::string word;      // "Holds", "Fails"; also determines the color
  std::string sentence;  // "2 of 11 expectations fail."
  std::vector<std::string> lines = {};
};

[[nodiscard]] Data verdict_data(const HeadVerdict& verdict);

// Returns "Holds: all 11 expectations hold.".
[[nodiscard]] std::string headline_of(const HeadVerdict& verdict);

// Derives the verdict from the expectations; without expectations, from the outcomes of the requests.
[[nodiscard]] HeadVerdict run_verdict(const Report& report);

}  // namespace spillway::reports::html
