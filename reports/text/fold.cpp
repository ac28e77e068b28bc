#include "reports/text/fold.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/documents/utf8.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {
namespace {

// An indivisible part: a character, or a color sequence.
struct Piece {
  std::string_view bytes;
  int width = 0;
};

std::vector<Piece> pieces_of(std::string_view line) {
  std::vector<Piece> pieces;
  while (!line.empty()) {
    std::size_t length = 0;
    int width = 0;
    if (line.starts_with("\x1b[")) {
      length = std::min(line.find('m'), line.size() - 1) + 1;
    } else {
      length = std::min(documents::bytes_of_character(line.front()), line.size());
      width = display_width(line.substr(0, length));
    }
    pieces.push_back({line.substr(0, length), width});
    line.remove_prefix(length);
  }
  return pieces;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view line, int width, int hang) {
  const std::vector<Piece> pieces = pieces_of(line);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < pieces.size()) {
    const int room = lines.empty() ? width : width - hang;
    int taken = 0;
    std::size_t end = begin;
    std::size_t blank = begin;  // the last blank at which the line may break
    bool in_text = false;
    while (end < pieces.size() && taken + pieces[end].width <= room) {
      taken += pieces[end].width;
      if (pieces[end].bytes == " " && in_text) {
        blank = end;
      }
      in_text = in_text || pieces[end].bytes != " ";
      ++end;
    }
    end = std::max(end, begin + 1);
    const bool is_last = end == pieces.size();
    if (!is_last && blank > begin && pieces[end].bytes != " ") {
      end = blank;
    }
    std::string part(static_cast<std::size_t>(lines.empty() ? 0 : hang), ' ');
    for (std::size_t piece = begin; piece < end; ++piece) {
      part += pieces[piece].bytes;
    }
    part.erase(part.find_last_not_of(' ') + 1);
    lines.push_back(std::move(part));
    begin = end;
    while (!is_last && begin < pieces.size() && pieces[begin].bytes == " ") {
      ++begin;
    }
  }
  return lines.empty() ? std::vector<std::string>{""} : lines;
}

std::string folded(std::string_view text, int width) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.size() <= static_cast<std::size_t>(width)) {
      result += line;
    } else {
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      result += joined(wrapped(line, width, std::min(static_cast<int>(indent) + 4, width / 2)), "\n");
    }
    if (end < text.size()) {
      result += '\n';
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string in_ascii(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> plain{{{"└", "+"},
                                                                                 {"├", "+"},
                                                                                 {"┌", "+"},
                                                                                 {"┐", "+"},
                                                                                 {"┘", "+"},
                                                                                 {"┤", "+"},
                                                                                 {"─", "-"},
                                                                                 {"│", "|"},
                                                                                 {"…", "."},
                                                                                 {"–", "-"},
                                                                                 {"—", "-"},
                                                                                 {"→", ">"},
                                                                                 {"·", "."},
                                                                                 {"×", "x"}}};
  std::string result;
  while (!text.empty()) {
    const auto found =
        std::find_if(plain.begin(), plain.end(), [&](const auto& pair) { return text.starts_with(pair.first); });
    if (found != plain.end()) {
      result += found->second;
      text.remove_prefix(found->first.size());
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace spillway::reports
