// Words that come of habits from other programs, with what to write instead: `apply -f FILE`, `--format json`, `-q`,
// `test`, `--duration 5m`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::cli {

enum class MistakeAt : std::uint8_t { command, option, advice, example };

struct CommonMistake {
  MistakeAt at;
  std::string_view written;  // in lower case
  std::string_view meant;    // a command or an option, advice, or an example of a value
};

// Returns the table that the functions below look up. A text occurs at most once for each MistakeAt.
[[nodiscard]] std::span<const CommonMistake> common_mistakes() noexcept;

// Returns advice for the unknown command `words[0]`; empty if there is none. `names`: the existing commands. A file's
// name is meant for `run`, a diagnostic's code for `help`.
[[nodiscard]] std::string instead_of_command(const std::vector<std::string>& words,
                                             const std::vector<std::string>& names);

// Returns advice for an option that `command` does not have; empty if there is none. `options`: the existing ones.
[[nodiscard]] std::string instead_of_option(std::string_view option, std::string_view command,
                                            const std::vector<std::string>& options);

// Returns "for example --report report.html" for an option without its value; empty if its name is enough.
[[nodiscard]] std::string example_of_option(std::string_view option);

}  // namespace spillway::cli
