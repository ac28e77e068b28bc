// A word as a shell takes it: rate=5 as it is, 'clients[shop].workload.rate=5' in quotes.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

[[nodiscard]] std::string shell_word(const std::string& word);

// Words with spaces between them.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace spillway::reports
