// The text that a scenario was read from, and places in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

// A stretch of one source file. Lines and columns count from 1, columns and length in characters (not bytes).
struct Span {
  std::uint32_t file = 0;  // position in Sources
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 1;

  friend bool operator==(const Span&, const Span&) = default;
};

// The parts of a file that messages may show: its lines, only the messages about them, or only codes and places.
enum class Shown : std::uint8_t { lines, messages, codes };

struct SourceFile {
  std::string name;  // as the user gave it; "<stdin>" for "-"
  std::string text;
  Shown shown = Shown::lines;
};

// Every file that was read in one go; a Span's `file` points into it.
using Sources = std::vector<SourceFile>;

}  // namespace spillway
