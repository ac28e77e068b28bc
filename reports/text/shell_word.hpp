// Quotes words for a shell: rate=5 unchanged, 'clients[shop].workload.rate=5' in quotes.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

[[nodiscard]] std::string shell_word(const std::string& word);

// Joins quoted words with spaces.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace spillway::reports
