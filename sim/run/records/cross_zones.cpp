#include "sim/run/records/cross_zones.hpp"

namespace spillway::run {

CrossZones::CrossZones(const std::vector<CrossZone>& rows) {
  for (auto first = rows.begin(); first != rows.end();) {
    CrossZoneRows together;
    auto row = first;
    for (; row != rows.end() && row->client == first->client && row->service == first->service &&
           row->epoch == first->epoch;
         ++row) {
      together.push_back({row->from, row->to, row->exact, row->requests, row->request_bytes, row->response_bytes});
    }
    add({.epoch = first->epoch,
         .client = first->client,
         .service = first->service,
         .rows = std::make_shared<const CrossZoneRows>(std::move(together))});
    first = row;
  }
}

}  // namespace spillway::run
