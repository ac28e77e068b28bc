#include "sim/run/records/cross_zone_book.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "models/istio/proxy.hpp"
#include "models/kuma/endpoint.hpp"
#include "sim/engine/epoch_record.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::run {

namespace {

CrossZoneBook::BytesKnown both(CrossZoneBook::BytesKnown one, CrossZoneBook::BytesKnown other) {
  return {one.of_requests && other.of_requests, one.of_answers && other.of_answers};
}

}  // namespace

template <class Visit>
void CrossZoneBook::for_each_crossing(FlowIndex flow, const Target& target, Visit visit) const {
  const auto zone_of = [&](config::EndpointIndex endpoint) {
    return scenario_->nodes[scenario_->endpoints[endpoint.value].node.value].zone;
  };
  config::ZoneIndex from = scenario_->nodes[scenario_->clients[flows_->at(flow).client.value].node.value].zone;
  const auto step = [&](config::ZoneIndex to) {
    if (to != from) {
      visit(from, to);
    }
    from = to;
  };
  for (const config::EndpointIndex proxy : target.via) {
    step(zone_of(proxy));
  }
  step(zone_of(target.endpoint));
}

CrossZoneBook::Row& CrossZoneBook::row_at(FlowIndex flow, const Place& place) {
  auto& rows = rows_[flow.value];
  auto found =
      std::lower_bound(rows.begin(), rows.end(), place,
                       [](const std::pair<Place, Row>& row, const Place& wanted) { return row.first < wanted; });
  if (found == rows.end() || found->first != place) {
    found = rows.insert(found, {place, {}});
  }
  return found->second;
}

void CrossZoneBook::add(Row& row, FlowIndex flow, const Target& target, double requests, double answers) const {
  const scenario::Workload& workload = scenario_->clients[flows_->at(flow).client.value].workload;
  const scenario::Endpoint& endpoint = target.endpoint_in(*scenario_);
  row.requests += requests;
  row.request_bytes += requests * static_cast<double>(workload.request_bytes.value_or(endpoint.request_bytes));
  row.response_bytes += answers * static_cast<double>(workload.response_bytes.value_or(endpoint.response_bytes));
}

void CrossZoneBook::send(FlowIndex flow, std::uint32_t epoch, const Target& target, std::uint64_t attempts) {
  const auto count = static_cast<double>(attempts);
  for_each_crossing(flow, target, [&](config::ZoneIndex from, config::ZoneIndex to) {
    add(row_at(flow, {epoch, from, to}), flow, target, count, count);
  });
}

void CrossZoneBook::take_back(FlowIndex flow, std::uint32_t epoch, const Target& target, Lost lost,
                              std::uint64_t attempts) {
  const auto count = static_cast<double>(attempts);
  for_each_crossing(flow, target, [&](config::ZoneIndex from, config::ZoneIndex to) {
    add(row_at(flow, {epoch, from, to}), flow, target, lost == Lost::everything ? -count : 0.0, -count);
  });
}

void CrossZoneBook::add_way(Crossings& crossings, FlowIndex flow, const Target& target, std::optional<double> share,
                            BytesKnown bytes_known) const {
  const scenario::Endpoint& endpoint = target.endpoint_in(*scenario_);
  for_each_crossing(flow, target, [&](config::ZoneIndex from, config::ZoneIndex to) {
    auto found = std::find_if(crossings.begin(), crossings.end(),
                              [&](const Crossing& of) { return of.from == from && of.to == to; });
    if (found == crossings.end()) {
      found = crossings.insert(crossings.end(), {from, to});
    }
    found->known = found->known && share.has_value();
    found->bytes_known = both(found->bytes_known, bytes_known);
    found->sized.of_requests = found->sized.of_requests || endpoint.request_bytes > 0;
    found->sized.of_answers = found->sized.of_answers || endpoint.response_bytes > 0;
    found->share.add(share.value_or(0.0));
    found->request_bytes.add(share.value_or(0.0) * static_cast<double>(endpoint.request_bytes));
    found->response_bytes.add(share.value_or(0.0) * static_cast<double>(endpoint.response_bytes));
  });
}

CrossZoneBook::Row CrossZoneBook::row_of(const Crossing& crossing, const scenario::Workload& workload) {
  const double share = crossing.share.value();
  const auto bytes = [&](std::optional<std::uint64_t> own, const numeric::CompensatedSum& of_endpoints) {
    return own ? share * static_cast<double>(*own) : of_endpoints.value();
  };
  // Whatever the share is, requests without bytes have 0 bytes.
  const auto known = [&](std::optional<std::uint64_t> own, bool of_sizes, bool sized) {
    return (own ? *own == 0 : !sized) || (crossing.known && (of_sizes || own));
  };
  return {.exact = share,
          .known = crossing.known,
          .bytes_known = {known(workload.request_bytes, crossing.bytes_known.of_requests, crossing.sized.of_requests),
                          known(workload.response_bytes, crossing.bytes_known.of_answers, crossing.sized.of_answers)},
          .requests = share,
          .request_bytes = bytes(workload.request_bytes, crossing.request_bytes),
          .response_bytes = bytes(workload.response_bytes, crossing.response_bytes)};
}

CrossZoneRow CrossZoneBook::written(config::ZoneIndex from, config::ZoneIndex to, const Row& row) const {
  const auto if_known = [&](double number, bool known) {
    return known || mode_ != scenario::Mode::exact ? number : std::numeric_limits<double>::quiet_NaN();
  };
  return {.from = from,
          .to = to,
          .exact = row.known ? std::optional(row.exact) : std::nullopt,
          .requests = if_known(row.requests, row.known),
          .request_bytes = if_known(row.request_bytes, row.bytes_known.of_requests),
          .response_bytes = if_known(row.response_bytes, row.bytes_known.of_answers)};
}

std::shared_ptr<const CrossZoneRows> CrossZoneBook::rows_of(const Sent& sent, const scenario::Workload& workload) {
  // Rows of several states are unique: there is no need to find them again.
  constexpr std::size_t most_shared = 10'000;
  if (shared_.size() > most_shared) {
    shared_.clear();
  }
  const auto [place, is_new] = shared_.try_emplace(sent);
  if (is_new) {
    std::map<std::pair<config::ZoneIndex, config::ZoneIndex>, Row> ordered;
    for (const Crossing& crossing : *std::get<0>(sent)) {
      ordered.emplace(std::pair{crossing.from, crossing.to}, row_of(crossing, workload));
    }
    CrossZoneRows rows;
    for (const auto& [zones, row] : ordered) {
      if (!row.is_nothing()) {
        rows.push_back(written(zones.first, zones.second, row));
      }
    }
    place->second = std::make_shared<const CrossZoneRows>(std::move(rows));
  }
  return place->second;
}

void CrossZoneBook::expect(FlowIndex flow, std::uint32_t epoch, const std::shared_ptr<const Crossings>& crossings,
                           double requests) {
  const config::ClientEntryIndex client = flows_->at(flow).client;
  const scenario::Workload& workload = scenario_->clients[client.value].workload;
  if (mode_ == scenario::Mode::exact && flows_->group(flows_->leader(flow)).size() == 1) {
    blocks_[flow.value].push_back(
        {.epoch = epoch,
         .client = client,
         .service = scenario::asked_for(*scenario_, flows_->at(flow).service),
         .requests = requests,
         .rows = rows_of({crossings, workload.request_bytes, workload.response_bytes}, workload)});
    return;
  }
  for (const Crossing& crossing : *crossings) {
    const Row of_one = row_of(crossing, workload);
    Row& row = row_at(flow, {epoch, crossing.from, crossing.to});
    row.known = row.known && of_one.known;
    row.bytes_known = both(row.bytes_known, of_one.bytes_known);
    row.exact += of_one.exact;
    row.requests += requests * of_one.requests;
    row.request_bytes += requests * of_one.request_bytes;
    row.response_bytes += requests * of_one.response_bytes;
  }
}

void CrossZoneBook::write(FlowIndex leader, const Traffic& traffic, Results& results) {
  const std::vector<FlowIndex>& group = flows_->group(leader);
  for (CrossZoneBlock& block : blocks_[leader.value]) {
    results.cross_zone.add(std::move(block));
  }
  blocks_[leader.value] = std::vector<CrossZoneBlock>();
  double all = 0.0;
  for (const FlowIndex flow : group) {
    all += traffic.part_of_client(flow);
  }
  std::map<Place, Row> sums;
  for (const FlowIndex flow : group) {
    const double part = group.size() > 1 ? traffic.part_of_client(flow) / all : 1.0;
    for (const auto& [place, row] : rows_[flow.value]) {
      Row& sum = sums[place];
      sum.known = sum.known && row.known;
      sum.bytes_known = both(sum.bytes_known, row.bytes_known);
      sum.exact += row.exact * part;
      sum.requests += row.requests;
      sum.request_bytes += row.request_bytes;
      sum.response_bytes += row.response_bytes;
    }
    rows_[flow.value] = std::vector<std::pair<Place, Row>>();
  }
  std::vector<CrossZone> rows;
  for (const auto& [place, row] : sums) {
    if (!row.is_nothing()) {
      const CrossZoneRow of = written(place.from, place.to, row);
      rows.push_back({.epoch = place.epoch,
                      .client = flows_->at(leader).client,
                      .service = scenario::asked_for(*scenario_, flows_->at(leader).service),
                      .from = of.from,
                      .to = of.to,
                      .exact = of.exact,
                      .requests = of.requests,
                      .request_bytes = of.request_bytes,
                      .response_bytes = of.response_bytes});
    }
  }
  CrossZones written(rows);
  for (CrossZoneBlock& block : written.blocks()) {
    results.cross_zone.add(std::move(block));
  }
}

}  // namespace spillway::run
