// Finds services of pasted documents that can do with one pod less in each zone: the load of the busiest pod now, with
// one pod less, and with one pod less while a zone's pods are not ready.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "sim/scenario/pasted/compose.hpp"

namespace spillway::cli {

struct ReplicaRow {
  std::string service = {};
  std::string pods = {};  // "6 + 6 + 6"
  double now = 0.0;       // requests per second of the busiest pod
  double fewer = 0.0;
  double fewer_and_lost = 0.0;
  std::string lost_zone = {};  // the zone whose loss causes this load
  double capacity = 0.0;       // of a pod [requests/s]; 0 if unknown
  bool has_spare = true;       // false if a zone has a single pod, which is then not removed

  [[nodiscard]] bool may() const;
  [[nodiscard]] bool may_while_lost() const;
};

// Computes the rows by exact shares. Empty if no service has two pods in a zone.
[[nodiscard]] std::vector<ReplicaRow> replica_rows(const scenario::pasted::Composed& composed);

// Formats them for people; empty if there are none.
[[nodiscard]] std::string replicas_text(const std::vector<ReplicaRow>& rows, const Arguments& arguments);

// Formats the rows as a JSON array.
[[nodiscard]] std::string replicas_json(const std::vector<ReplicaRow>& rows);

}  // namespace spillway::cli
