// Computes the results of the designs for zone egress, including those that the design document rejects: for each
// client and service, the destinations of requests that leave the zone, and the number of clusters needed.
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
#include <vector>

#include "models/kuma/assign.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario {
struct EgressDesignRow;  // egress_design_row.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::kuma_binding {

class EgressDesigns {
 public:
  // Adds a client. `whole_mesh` is the conf of policies for the whole mesh. Precondition: the objects that `input`
  // points to outlive this, except for its client.
  void add(kuma::AssignInput input, config::ServiceIndex service, const std::optional<kuma::Conf>& whole_mesh);

  // Returns the rows by service, then client as added, then design. Linear in the clients, times the endpoints.
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
