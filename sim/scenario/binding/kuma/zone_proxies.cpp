// Reads ingresses and egresses: written ones, or one assumed per zone.
#include <algorithm>

#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

constexpr std::uint32_t usual_zone_proxy_port = 10'001;

class ZoneProxyReader {
 public:
  ZoneProxyReader(KumaServices& so_far, KumaPlaces& places)
      : documents_(so_far.documents), contents_(so_far.mesh), scenario_(so_far.scenario), places_(places) {}

  void read() {
    for (const auto& document : documents_.zone_ingresses) {
      const std::string named = document.value.zone.empty() ? std::string(document.origin.zone()) : document.value.zone;
      const auto zone = places_.zone_of(named, document.origin.where);
      if (zone && !document.value.advertisedAddress.empty()) {
        contents_.ingresses.push_back(
            zone_proxy(*zone, document.origin.name, document.value.advertisedAddress, document.value.advertisedPort));
        contents_.ingresses.back().availableServices = document.value.availableServices;
      }
    }
    const std::size_t first_address = contents_.ingresses.size();
    for (const auto& document : documents_.mesh_zone_addresses) {
      if (const auto zone = places_.zone_of(document.value.zone, document.origin.where)) {
        contents_.ingresses.push_back(
            zone_proxy(*zone, document.origin.name, document.value.address, document.value.port));
      }
    }
    for (const auto& document : documents_.zone_egresses) {
      if (const auto zone = places_.zone_of(document.zone, document.origin.where)) {
        contents_.egresses.push_back(
            zone_proxy(*zone, document.origin.name, document.value.address, document.value.port));
      }
    }
    assume_zone_proxies();
    for (kuma_binding::ZoneProxy& ingress : contents_.ingresses) {
      ingress.knows_instances = has_dataplanes(ingress.zone);
    }
    add_mesh_zone_addresses(first_address);
  }

 private:
  // Adds written addresses; if there are none, head reaches zones at the addresses of their ingresses.
  void add_mesh_zone_addresses(std::size_t first_written) {
    const bool written = !documents_.mesh_zone_addresses.empty();
    if (!written && contents_.profile != config::KumaProfile::head) {
      return;
    }
    for (std::size_t ingress = written ? first_written : 0; ingress < contents_.ingresses.size(); ++ingress) {
      const kuma_binding::ZoneProxy& of = contents_.ingresses[ingress];
      contents_.mesh_zone_addresses.push_back(
          {.zone = scenario_.zones[of.zone.value].name, .address = of.address, .port = of.port});
    }
  }

  [[nodiscard]] bool has_dataplanes(config::ZoneIndex zone) const {
    const auto in_zone = [zone](const kuma_binding::PlacedDataplane& dataplane) { return dataplane.zone == zone; };
    return std::any_of(contents_.dataplanes.begin(), contents_.dataplanes.end(), in_zone) ||
           std::any_of(scenario_.services.begin(), scenario_.services.end(), [&](const Service& service) {
             return std::any_of(service.hosts.begin(), service.hosts.end(), [&](const Host& host) {
               const Endpoint& endpoint = scenario_.endpoints[host.endpoint.value];
               return scenario_.nodes[endpoint.node.value].zone == zone;
             });
           });
  }

  kuma_binding::ZoneProxy zone_proxy(config::ZoneIndex zone, const std::string& name, std::string address,
                                     std::uint32_t port) {
    return {.zone = zone,
            .endpoint = places_.add_endpoint(name, places_.node_of(zone, {})),
            .address = std::move(address),
            .port = port};
  }

  void assume_zone_proxies() {
    const bool egress_needed = contents_.mesh.zoneEgress || !documents_.mesh_external_services.empty();
    // An ingress without a public address counts as written: its zone is unreachable.
    const bool assume_ingresses =
        contents_.ingresses.empty() && documents_.zone_ingresses.empty() && scenario_.zones.size() > 1;
    const bool assume_egresses = contents_.egresses.empty() && egress_needed;
    for (std::uint32_t zone = 0; zone < scenario_.zones.size(); ++zone) {
      const std::string& name = scenario_.zones[zone].name;
      if (assume_ingresses) {
        contents_.ingresses.push_back(zone_proxy({zone}, name + " ingress", name + "-ingress", usual_zone_proxy_port));
        scenario_.endpoints[contents_.ingresses.back().endpoint.value].assumed = true;
      }
      if (assume_egresses) {
        contents_.egresses.push_back(zone_proxy({zone}, name + " egress", name + "-egress", usual_zone_proxy_port));
      }
    }
    if (assume_ingresses) {
      scenario_.assumptions.emplace_back("one ingress a zone, since no ZoneIngress is written");
    }
    if (assume_egresses) {
      scenario_.assumptions.emplace_back("one egress a zone, since no ZoneEgress is written");
    }
  }

  const kuma::Documents& documents_;
  kuma_binding::KumaMesh& contents_;
  Scenario& scenario_;
  KumaPlaces& places_;
};

}  // namespace

void read_zone_proxies(KumaServices& so_far, KumaPlaces& places) {
  ZoneProxyReader(so_far, places).read();
}

}  // namespace spillway::scenario::binding
