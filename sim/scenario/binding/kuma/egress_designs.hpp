// What the designs for zone egress would do, those that the design document rejects among them: for each client and
// service where its requests would go that leave the zone, and how many clusters that takes.
//
//   EgressDesigns designs;
//   designs.add(input, service, whole_mesh_conf);   // for every client
//   scenario.egress_designs = designs.rows(zones);
//
// Source: the design document (MADR 043), "Egress"; models/kuma/document_egress.hpp.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/kuma/assign.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::scenario {
struct EgressDesignRow;  // egress_design_row.hpp
struct Zone;             // topology.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::kuma_binding {

class EgressDesigns {
 public:
  // `whole_mesh`: the conf of policies that are for the whole mesh. What `input` points to must outlive this, but for
  // its client.
  void add(kuma::AssignInput input, config::ServiceIndex service, const std::optional<kuma::Conf>& whole_mesh);

  // By service, then client as added, then design. Linear in the clients, times the endpoints.
  [[nodiscard]] std::vector<EgressDesignRow> rows(std::span<const Zone> zones) const;

 private:
  struct OfService {
    std::vector<kuma::AssignInput> clients = {};
    std::optional<kuma::Conf> whole_mesh = {};
  };

  std::map<config::ServiceIndex, OfService> services_;
  std::deque<kuma::Client> clients_;
};

}  // namespace spillway::scenario::kuma_binding
