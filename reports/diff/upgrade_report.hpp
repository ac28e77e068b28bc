// Formats what an upgrade of Envoy moves, for people and programs.
//
//   std::string text = format_upgrade(upgrade, Format::markdown, Look{});
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::diff {
struct Upgrade;  // upgrade.hpp
}  // namespace spillway::diff

namespace spillway::reports {

// Formats the sentence about whether traffic moves, then one line per change that concerns a cluster. JSON also has the
// clusters without such changes. CSV has one line per change.
[[nodiscard]] std::string format_upgrade(const diff::Upgrade& upgrade, Format format, const Look& look);

}  // namespace spillway::reports
