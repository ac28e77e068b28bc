#include "models/documents/grammar/suggestion.hpp"

#include <algorithm>
#include <tuple>

#include "models/documents/problem.hpp"

namespace spillway::grammar {
namespace {

// Longer texts are unlikely to be mistyped names; the limit bounds the cost of the comparison.
constexpr std::size_t longest = 128;

std::string alike(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '-' || c == '_' || c == ' ') {
      continue;
    }
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

// Returns the sum of the distances between differing letters of two texts of equal length. So `zone-4` is nearer to
// `zone-3` than to `zone-1`.
std::size_t letter_distance(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) {
    return 1'000'000;
  }
  std::size_t distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int difference = a[i] - b[i];
    distance += static_cast<std::size_t>(difference < 0 ? -difference : difference);
  }
  return distance;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back;
  std::vector<std::size_t> back(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    back[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_back[j - 2] + 1);
      }
    }
    two_back = std::move(back);
    back = std::move(row);
  }
  return back[b.size()];
}

std::string nearest(std::string_view written, const std::vector<std::string>& candidates) {
  if (written.size() > longest) {
    return {};
  }
  const std::string plain = alike(written);
  std::string best;
  auto best_rank = std::tuple(longest, longest, longest);
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) {
      continue;
    }
    const std::size_t allowed = (std::max(written.size(), candidate.size()) + 1) / 3;
    const std::string other = alike(candidate);
    // Texts differ by as many edits as their lengths do, at least.
    if (std::max(plain.size(), other.size()) - std::min(plain.size(), other.size()) > allowed) {
      continue;
    }
    const std::size_t distance = edit_distance(plain, other);
    if (distance > allowed) {
      continue;
    }
    const auto rank = std::tuple(distance, edit_distance(written, candidate), letter_distance(written, candidate));
    if (best.empty() || rank < best_rank) {
      best = candidate;
      best_rank = rank;
    }
  }
  return best;
}

void suggest(Diagnostic& problem, std::string_view written, const std::vector<std::string>& candidates) {
  if (const std::string meant = nearest(written, candidates); !meant.empty()) {
    problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
  }
}

}  // namespace spillway::grammar
