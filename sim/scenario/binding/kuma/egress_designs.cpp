#include "sim/scenario/binding/kuma/egress_designs.hpp"

#include <utility>

#include "models/kuma/document_egress.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/egress_design_row.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

std::vector<std::pair<std::string, double>> by_zone(std::span<const kuma::Endpoint> endpoints,
                                                    std::span<const double> shares, std::span<const Zone> zones) {
  std::vector<std::pair<std::string, double>> result;
  for (const Zone& zone : zones) {
    double share = 0.0;
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
      if (kuma::zone_of(endpoints[i], config::KumaProfile::document) == zone.name) {
        share += shares[i];
      }
    }
    if (share > 0.0) {
      result.emplace_back(zone.name, share);
    }
  }
  return result;
}

}  // namespace

void EgressDesigns::add(kuma::AssignInput input, config::ServiceIndex service,
                        const std::optional<kuma::Conf>& whole_mesh) {
  input.client = &clients_.emplace_back(*input.client);
  OfService& of = services_[service];
  of.clients.push_back(std::move(input));
  of.whole_mesh = whole_mesh;
}

std::vector<EgressDesignRow> EgressDesigns::rows(std::span<const Zone> zones) const {
  using kuma::EgressDesign;
  std::vector<EgressDesignRow> rows;
  for (const auto& [service, of] : services_) {
    std::map<EgressDesign, std::size_t> at_egress;
    for (const auto design :
         {EgressDesign::metadata, EgressDesign::hashed_sni, EgressDesign::mesh_scope, EgressDesign::aggregate}) {
      at_egress[design] = kuma::cluster_counts(design, of.clients).at_egress;
    }
    for (const kuma::AssignInput& client : of.clients) {
      for (const auto& [design, clusters] : at_egress) {
        const std::vector<double> shares = kuma::leaving_shares(design, client, of.whole_mesh);
        rows.push_back({client.client->name,
                        service,
                        design,
                        {clusters, kuma::cluster_counts(design, {&client, 1}).at_client},
                        by_zone(client.endpoints, shares, zones)});
      }
    }
  }
  return rows;
}

}  // namespace spillway::scenario::kuma_binding
