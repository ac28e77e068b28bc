// Reading the two things that are compared, whatever they are.
//
//   Sides sides = read_sides({.before = "main.yaml", .after = "branch.yaml"});
//   if (sides.before && sides.after) { ... compare(*sides.before, *sides.after, {}) ... }
//
// Two scenarios; two Envoy documents; two files of Kuma's documents in the world of a scenario; or a scenario and a
// file of Kuma's documents, for which the scenario is the world. Documents are applied as `kumactl apply` would: those
// of the same kind, mesh and name are replaced, others added; what only one of the two files holds is not there in the
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/envoy/proxy/options.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {

struct Files {
  std::string before;  // a path; "-" is standard input, for one of them
  std::string after;
  std::optional<std::string> world = {};  // the scenario whose documents they replace
  proxy::EnvoyOptions envoy = {};         // of Envoy's documents: which requests, and how they are read
};

// Why the two cannot be compared, although each may be well.
struct Refusal {
  std::string code;  // SP930 to SP933
  std::string message;
  std::string help;
};

struct Sides {
  std::optional<Side> before;
  std::optional<Side> after;
  // Of the ones that could not be read: what is wrong with them.
  std::optional<scenario::Reading> bad_before;
  std::optional<scenario::Reading> bad_after;
  std::optional<Refusal> refusal;
};

[[nodiscard]] Sides read_sides(const Files& files);

// One scenario by the rules of two releases of Envoy 1.x. `from` nullopt: by its own profile. Returns nullopt if the
// file is no scenario.
[[nodiscard]] std::optional<Sides> read_releases(const std::string& path, std::optional<std::uint32_t> from,
                                                 std::uint32_t to);

}  // namespace spillway::diff
