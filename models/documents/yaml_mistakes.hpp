// Advice on texts that are not YAML: yaml-cpp only says where it stopped and what its
// grammar wanted next ("end of map not found").
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

// `message`: yaml-cpp's; `at`: the offset of its mark. Linear in what stands before the mark.
[[nodiscard]] YamlMistake explain_yaml_mistake(std::string_view text, std::size_t at, std::string_view message);

}  // namespace spillway::documents
