// Reads the two files that are compared, of any supported kind.
//
//   Sides sides = read_sides({.before = "main.yaml", .after = "branch.yaml"});
//   if (sides.before && sides.after) { ... compare(*sides.before, *sides.after, {}) ... }
//
// The files may be two scenarios; two Envoy documents; two files of Kuma documents in the world of a scenario; or a
// scenario and a file of Kuma documents, whose world is the scenario. Documents are applied as `kumactl apply` would:
// those of the same kind, mesh and name are replaced, others added. Documents in only one of the two files are missing
// on the other side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/envoy/proxy/options.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {

struct Files {
  std::string before;  // a path; "-" is standard input, for at most one of the files
  std::string after;
  std::optional<std::string> world = {};  // the scenario whose documents they replace
  proxy::EnvoyOptions envoy = {};         // of Envoy's documents: which requests, and how they are read
};

// The reason why two sides cannot be compared, although each may be valid.
struct Refusal {
  std::string code;  // SP930 to SP933
  std::string message;
  std::string help;
};

struct Sides {
  std::optional<Side> before;
  std::optional<Side> after;
  // Parse results of the sides that could not be read, with their diagnostics.
  std::optional<scenario::Reading> bad_before;
  std::optional<scenario::Reading> bad_after;
  std::optional<Refusal> refusal;
};

[[nodiscard]] Sides read_sides(const Files& files);

// A member of a scenario's `profile`: {"istio", "release-1.31"}.
struct ProfileChoice {
  std::string program;
  std::string release;
};

// Reads one scenario by two profiles. `from` nullopt: by its own. Returns nullopt if the file is no scenario.
[[nodiscard]] std::optional<Sides> read_profiles(const std::string& path, const std::optional<ProfileChoice>& from,
                                                 const ProfileChoice& to);
// Reads one scenario by the rules of two releases of Envoy 1.x.
[[nodiscard]] std::optional<Sides> read_releases(const std::string& path, std::optional<std::uint32_t> from,
                                                 std::uint32_t to);

}  // namespace spillway::diff
