// What an upgrade of Envoy moves: the changes of behaviour between two releases that concern a cluster.
//
//   const auto from = release_of("1.36.2");      // 36
//   const auto found = changes_for(scenario, {0}, *from, 40);
//   found.front().what;                          // "several health checks are accepted; before, ..."
//
// A change is a rule that is another one, or a setting that one of the two releases ignores or refuses.
// Releases 1.36 to 1.40 pick by the same rules, which parity tests hold against their binaries; shares of a cluster are
// the same in all of them. Older ones are simulated by documents and source. Source: docs/behaviour/releases.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/diff/difference.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::diff {

// Of Envoy 1.x: the x. "1.36.2", "release-1.36", "1.36.2-dev"; none: no such text, or another major version.
[[nodiscard]] std::optional<std::uint32_t> release_of(std::string_view version);

// Of the releases that this knows the changes of.
inline constexpr std::uint32_t oldest_release = 20;
inline constexpr std::uint32_t newest_release = 40;
// From here on all releases pick by the same rules.
inline constexpr std::uint32_t first_release_alike = 36;

// What a change is about.
enum class Moves : std::uint8_t { shares, keys, turns, ejections, health, settings, acceptance };
// How we know: a binary was measured, its release notes or its documents say so, its source was read.
enum class Evidence : std::uint8_t { measured, release_notes, documents, source };

[[nodiscard]] std::string_view name_of(Moves moves) noexcept;
[[nodiscard]] std::string_view name_of(Evidence evidence) noexcept;

struct VersionChange {
  std::uint32_t since = 0;  // the first release that behaves in the new way
  Moves moves = Moves::shares;
  Evidence evidence = Evidence::release_notes;
  bool simulated = false;  // a profile of an older release has the old behaviour
  std::string what;        // the new behaviour, and the old one
};

// Those after `from` up to `to`, or of a downgrade those that are lost, that concern the cluster, by release. The
// scenario is read by the rules of the newer one: it still has what the older one does not know.
[[nodiscard]] std::vector<VersionChange> changes_for(const scenario::Scenario& scenario, config::ServiceIndex cluster,
                                                     std::uint32_t from, std::uint32_t to);

struct ClusterUpgrade {
  std::string cluster;
  std::vector<VersionChange> changes = {};
  std::optional<Difference> difference = {};  // what moves between the two, as far as it is simulated
  std::string why_not = {};                   // it could not be read: why
};

struct Upgrade {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool reported = false;  // `from` by the documents
  std::vector<ClusterUpgrade> clusters = {};

  [[nodiscard]] bool changed() const noexcept;
  [[nodiscard]] bool moves_shares() const noexcept;
  // Every cluster was read, by both, and its shares are the same.
  [[nodiscard]] bool same_shares() const noexcept;
  // Both pick by the rules that are simulated.
  [[nodiscard]] bool same_picks() const noexcept { return from >= first_release_alike && to >= first_release_alike; }
};

}  // namespace spillway::diff
