// Finds services of pasted documents that can do with one pod less in each zone: the load of the busiest pod and the
// requests that fail, now and with one pod less, with all zones and while one zone's pods are lost.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "sim/scenario/pasted/compose.hpp"

namespace spillway::cli {

// A service's load in one situation.
struct ReplicaLoad {
  double busiest = 0.0;  // requests per second of the busiest pod
  double failing = 0.0;  // fraction of the service's requests that find no pod, or one that is lost
};

// The worst loads of a service while one zone is lost.
struct ReplicaLoss {
  ReplicaLoad worst = {};
  std::string busiest_zone = {};  // the zone whose loss gives the highest load; empty if every zone's loss gives it
  std::string failing_zone = {};  // likewise for failing requests
};

struct ReplicaRow {
  std::string service = {};
  std::string pods = {};  // "6 + 6 + 6"
  ReplicaLoad now = {};
  ReplicaLoss lost = {};
  ReplicaLoad fewer = {};
  ReplicaLoss fewer_and_lost = {};
  double capacity = 0.0;  // of a pod [requests/s]; 0 if unknown
  bool has_spare = true;  // false if a zone has a single pod, which is then not removed

  // True if with one pod less in each zone no pod is above 80 % and no request fails, whichever zone is lost.
  [[nodiscard]] bool may() const;
};

// Computes the rows by exact shares. A pod less is one of the workload that has most pods in the zone. Empty if no
// service has two pods in a zone.
[[nodiscard]] std::vector<ReplicaRow> replica_rows(const scenario::pasted::Composed& composed);

// Formats them for people; empty if there are none.
[[nodiscard]] std::string replicas_text(const std::vector<ReplicaRow>& rows, const Arguments& arguments);

// Formats the rows as a JSON array.
[[nodiscard]] std::string replicas_json(const std::vector<ReplicaRow>& rows);

}  // namespace spillway::cli
