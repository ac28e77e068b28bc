// How each code comes about and how it is put right: for `spillway help CODE`, `spillway validate --explain CODE` and
// docs/diagnostics.md. Tests read and type them, but for situations: what is wrong has the code, what is right has it
// no longer, and no error.
#pragma once

#include <string_view>

namespace spillway::scenario {

enum class ExampleOf {
  scenario,   // keys of the top level, which replace or add to those of a scenario without a mistake
  istio,      // documents below `resources` of a mesh with the service `web`, and its clients, if there are any
  file,       // a whole scenario or document
  setting,    // a part of the lint's own scenario (lints/examples.hpp)
  command,    // what is typed
  situation,  // what only a system, a size, a plan or files of other programs bring about, in words
};

struct CodeExample {
  std::string_view code;
  std::string_view wrong;
  std::string_view right;
  ExampleOf of = ExampleOf::scenario;
};

// Null if the code has none.
[[nodiscard]] const CodeExample* find_code_example(std::string_view code) noexcept;

}  // namespace spillway::scenario
