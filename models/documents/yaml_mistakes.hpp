// Explains texts that are not YAML. yaml-cpp reports only where it stopped and what its grammar expected ("end of map
// not found").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spillway::documents {

struct YamlMistake {
  std::size_t begin = 0;  // offsets into the text
  std::size_t end = 0;
  std::string label;
  std::string help;  // may be empty
};

// Explains a mistake. `message` is yaml-cpp's, `at` the offset of its mark. Linear in the text before the mark.
[[nodiscard]] YamlMistake explain_yaml_mistake(std::string_view text, std::size_t at, std::string_view message);

// Explains a line, or a part of one, that is no key and value: `key value`, `key:value`, `key = value`.
[[nodiscard]] YamlMistake key_without_colon(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace spillway::documents
