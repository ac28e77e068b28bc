// What is fuzzed: functions of bytes that may do anything but crash, hang or break a promise. `scripts/fuzz` runs each
// as a libFuzzer program, and tests replay the seeds and every input that once broke something
// (tests/fuzz/corpus/NAME/).
#pragma once

#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace spillway::fuzzing {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

// All of them, in all.cpp: a fuzzing program has its own function alone, and links what that needs.
[[nodiscard]] std::span<const Target> targets() noexcept;

// Ends the process where a promise is broken, as libFuzzer wants it.
inline void require(bool kept, std::string_view promise) {
  if (!kept) {
    fmt::print(stderr, "broken: {}\n", promise);
    std::abort();
  }
}

// Reads numbers from the bytes, 0 once they are used up.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  unsigned next() noexcept {
    if (bytes_.empty()) {
      return 0;
    }
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  unsigned below(unsigned n) noexcept { return (next() * 256U + next()) % n; }

 private:
  std::string_view bytes_;
};

void read_scenario(std::string_view text);
void read_envoy_documents(std::string_view text);
void read_kuma_documents(std::string_view text);
void read_istio_documents(std::string_view text);
void read_control_planes(std::string_view text);
void compare_sides(std::string_view text);
void drive_policies(std::string_view bytes);
void read_scalars(std::string_view text);
void read_syntax(std::string_view text);
void read_observed(std::string_view text);
void read_requests(std::string_view bytes);
void read_settings(std::string_view text);
void write_names(std::string_view bytes);
void compute_numbers(std::string_view bytes);

}  // namespace spillway::fuzzing
