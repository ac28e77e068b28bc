// A libFuzzer program of one target, by its number: scripts/fuzz.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: libFuzzer's bytes are ours
  spillway::fuzzing::targets()[SPILLWAY_FUZZ_TARGET].run(bytes);
  return 0;
}
