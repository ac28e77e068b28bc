// What an upgrade of Envoy moves, as people and programs read it.
//
//   std::string text = format_upgrade(upgrade, Format::markdown, Look{});
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::diff {
struct Upgrade;  // upgrade.hpp
}  // namespace spillway::diff

namespace spillway::reports {

// First the sentence that says whether anything moves, then a line for each change that concerns a cluster; JSON has
// the clusters that nothing concerns too, CSV a line for each change.
[[nodiscard]] std::string format_upgrade(const diff::Upgrade& upgrade, Format format, const Look& look);

}  // namespace spillway::reports
