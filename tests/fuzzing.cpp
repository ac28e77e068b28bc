// A libFuzzer program of one target, whose function SPILLWAY_FUZZ_FUNCTION names: scripts/fuzz.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: libFuzzer's bytes are ours
  spillway::fuzzing::SPILLWAY_FUZZ_FUNCTION(bytes);
  return 0;
}
