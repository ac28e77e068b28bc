// The destination of texts that are written in pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace spillway::reports {

using Sink = std::function<void(std::string_view piece)>;

// Passes `text` on once it is long, and clears it.
inline void write_full(std::string& text, const Sink& sink) {
  constexpr std::size_t full = 1U << 16U;
  if (text.size() >= full) {
    sink(text);
    text.clear();
  }
}

}  // namespace spillway::reports
