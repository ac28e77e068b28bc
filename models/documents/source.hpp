// Source files that were read, and locations in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway {

// A part of one source file. Lines and columns count from 1; columns and length are in characters (not bytes).
struct Span {
  std::uint32_t file = 0;  // position in Sources
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 1;

  friend bool operator==(const Span&, const Span&) = default;
};

// The parts of a file that messages may show: its lines; the messages without the lines; or only codes and locations.
enum class Shown : std::uint8_t { lines, messages, codes };

struct SourceFile {
  std::string name;  // as the user gave it; "<stdin>" for "-"
  std::string text;
  Shown shown = Shown::lines;
};

// All files of one parse. A Span's `file` is an index into it.
using Sources = std::vector<SourceFile>;

}  // namespace spillway
