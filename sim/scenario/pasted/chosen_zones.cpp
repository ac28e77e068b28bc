#include "sim/scenario/pasted/chosen_zones.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

#include "models/documents/node_json.hpp"
#include "models/documents/parse.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr const char* assumed_region = "region-1";

class Zones {
 public:
  Zones(const MeshInventory& inventory, const Question& question, std::vector<std::string>& assumed)
      : inventory_(inventory), question_(question), assumed_(assumed) {}

  std::vector<AssumedZone> choose() {
    for (const auto& [name, pods] : question_.zones) {
      const auto known = std::find_if(inventory_.zones.begin(), inventory_.zones.end(),
                                      [&](const AssumedZone& zone) { return zone.name == name; });
      AssumedZone zone = known == inventory_.zones.end() ? asked_zone(name) : *known;
      zone.pods = pods;
      zones_.push_back(std::move(zone));
    }
    if (zones_.empty()) {
      std::copy_if(inventory_.zones.begin(), inventory_.zones.end(), std::back_inserter(zones_),
                   [](const AssumedZone& zone) { return !zone.name.empty(); });
    }
    if (!zones_.empty()) {
      return std::move(zones_);
    }
    zones_ = zones_of_localities(named_localities());
    if (!zones_.empty()) {
      std::vector<std::string> named;
      std::vector<std::string> others;
      for (const AssumedZone& zone : zones_) {
        (zone.is_named ? named : others).push_back(zone.locality());
      }
      const auto listed = [](const std::vector<std::string>& names) {
        return fmt::format("{}", fmt::join(names, ", "));
      };
      assumed_.push_back(named.empty() ? "zones of the regions that the documents name: " + listed(others)
                                       : "zones are those that the documents name: " + listed(named));
      if (!named.empty() && !others.empty()) {
        assumed_.push_back("further zones: " + listed(others));
      }
      return std::move(zones_);
    }
    take_zones_of_slices();
    if (!zones_.empty()) {
      return std::move(zones_);
    }
    for (const char* const name : {"zone-1", "zone-2", "zone-3"}) {
      zones_.push_back({.name = name, .region = assumed_region});
    }
    assumed_.emplace_back("three zones of one region: no Node names others (`--zones a:2,b:2` does)");
    return std::move(zones_);
  }

 private:
  // "zone", in an assumed region, or "region/zone".
  static AssumedZone asked_zone(const std::string& name) {
    const std::size_t slash = name.find('/');
    return slash == std::string::npos ? AssumedZone{.name = name, .region = assumed_region}
                                      : AssumedZone{.name = name.substr(slash + 1), .region = name.substr(0, slash)};
  }

  // Takes the zones of EndpointSlices' endpoints, which name no regions.
  void take_zones_of_slices() {
    std::string names;
    for (const PastedSlice& slice : inventory_.slices) {
      for (const Json& endpoint : child(slice.document, "endpoints")) {
        const std::string zone = text_of(endpoint, "zone");
        const bool known =
            std::any_of(zones_.begin(), zones_.end(), [&](const AssumedZone& one) { return one.name == zone; });
        if (!zone.empty() && !known) {
          zones_.push_back({.name = zone, .region = assumed_region});
          names += (names.empty() ? "" : ", ") + zone;
        }
      }
    }
    if (!names.empty()) {
      assumed_.push_back("zones are those of the EndpointSlices, in one region: " + names);
    }
  }

  // Returns the localities that rules and settings of the mesh name.
  [[nodiscard]] std::vector<std::string> named_localities() const {
    std::vector<std::string> localities;
    for (const auto* const list : {&inventory_.rules, &inventory_.others}) {
      for (const Json& document : *list) {
        collect_localities(child(document, "spec"), "", localities);
        const std::string mesh = text_of(child(document, "data"), "mesh");
        if (!mesh.empty()) {
          Sources text(1);
          text.front().text = mesh;
          Diagnostics ignored;
          if (const auto settings = documents::parse(text, 0, ignored)) {
            collect_localities(documents::json_of(*settings), "", localities);
          }
        }
      }
    }
    return localities;
  }

  const MeshInventory& inventory_;
  const Question& question_;
  std::vector<std::string>& assumed_;
  std::vector<AssumedZone> zones_;
};

}  // namespace

std::vector<AssumedZone> choose_zones(const MeshInventory& inventory, const Question& question,
                                      std::vector<std::string>& assumed) {
  return Zones(inventory, question, assumed).choose();
}

}  // namespace spillway::scenario::pasted
