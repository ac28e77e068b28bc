#include <algorithm>

#include "models/documents/grammar/suggestion_table.hpp"
#include "models/documents/grammar/unit_suggestions.hpp"

namespace spillway::grammar {
namespace {

bool has(const std::vector<std::string>& known, std::string_view key) {
  return std::find(known.begin(), known.end(), key) != known.end();
}

// Removes differences of spelling: "ReplicaCount", "replica-count" and "replica_count" give the same text.
std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') {
      plain += plain.empty() || plain.back() == '_' ? "" : "_";
      plain += static_cast<char>(c - 'A' + 'a');
    } else {
      plain += c == '-' || c == ' ' ? '_' : c;
    }
  }
  return plain;
}

}  // namespace

std::string meant_key(std::string_view written, const std::vector<std::string>& known) {
  const std::string plain = plain_key(written);
  for (const Suggestion& row : suggestions_of(MistakeKind::key)) {
    if (row.written == plain && has(known, row.meant)) {
      return std::string(row.meant);
    }
  }
  return {};
}

std::string right_place(std::string_view written, const std::vector<std::string>& known) {
  const std::string plain = plain_key(written);
  for (const Suggestion& row : suggestions_of(MistakeKind::place)) {
    if (row.written == plain && has(known, row.beside)) {
      return std::string(row.meant);
    }
  }
  return {};
}

}  // namespace spillway::grammar
