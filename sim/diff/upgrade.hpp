// Effects of an Envoy upgrade: the behaviour changes between two releases that concern a cluster.
//
//   const auto from = release_of("1.36.2");      // 36
//   const auto found = changes_for(scenario, {0}, *from, 40);
//   found.front().what;                          // "several health checks are accepted; before, ..."
//
// A change is a changed rule, or a setting that one of the two releases ignores or rejects. Releases 1.36 to 1.40 pick
// by the same rules, checked by parity tests against their binaries; a cluster's shares are equal in all of them. Older
// releases are simulated from documents and source. Source: docs/behaviour/releases.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/diff/difference.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::diff {

// Returns the x of Envoy 1.x: "1.36.2", "release-1.36", "1.36.2-dev". nullopt for other texts and major versions.
[[nodiscard]] std::optional<std::uint32_t> release_of(std::string_view version);

// The range of releases with known changes.
inline constexpr std::uint32_t oldest_release = 20;
inline constexpr std::uint32_t newest_release = 40;
// The first release of those that all pick by the same rules.
inline constexpr std::uint32_t first_release_alike = 36;

// The subject of a change.
enum class Moves : std::uint8_t { shares, keys, turns, ejections, health, settings, acceptance };
// The evidence for a change.
enum class Evidence : std::uint8_t { release_notes, source };

[[nodiscard]] std::string_view name_of(Moves moves) noexcept;
[[nodiscard]] std::string_view name_of(Evidence evidence) noexcept;

struct VersionChange {
  std::uint32_t since = 0;  // first release with the new behaviour
  Moves moves = Moves::shares;
  Evidence evidence = Evidence::release_notes;
  bool simulated = false;  // a profile of an older release has the old behaviour
  std::string what;        // the new behaviour, and the old one
};

// Returns the changes after `from` up to `to` that concern the cluster, by release; for a downgrade, those that are
// lost. Precondition: the scenario was read by the rules of the newer release, so it still has what the older one does
// not know.
[[nodiscard]] std::vector<VersionChange> changes_for(const scenario::Scenario& scenario, config::ServiceIndex cluster,
                                                     std::uint32_t from, std::uint32_t to);

struct ClusterUpgrade {
  std::string cluster;
  std::vector<VersionChange> changes = {};
  std::optional<Difference> difference = {};  // between the two releases, if simulated
  std::string why_not = {};                   // reason if it could not be read
};

struct Upgrade {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool reported = false;  // `from` was read from the documents
  std::vector<ClusterUpgrade> clusters = {};

  [[nodiscard]] bool changed() const noexcept;
  [[nodiscard]] bool moves_shares() const noexcept;
  // True if every cluster was read, by both releases, and has equal shares.
  [[nodiscard]] bool same_shares() const noexcept;
  // True if both pick by the simulated rules.
  [[nodiscard]] bool same_picks() const noexcept { return from >= first_release_alike && to >= first_release_alike; }
};

}  // namespace spillway::diff
