#include "sim/run/records/shares.hpp"

#include <limits>

#include "models/envoy/policies/registry.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::run {
namespace {

constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

}  // namespace

SharePlace share_place(const scenario::Scenario& scenario, const Target& target) {
  const scenario::Endpoint& endpoint = target.endpoint_in(scenario);
  const scenario::Node& node = scenario.nodes[endpoint.node.value];
  const scenario::Zone& zone = scenario.zones[node.zone.value];
  SharePlace place{.cluster = scenario.services[target.service.value].name,
                   .priority = target.priority,
                   .region = zone.region,
                   .zone = zone.name,
                   .sub_zone = node.sub_zone,
                   .node = node.name,
                   .endpoint = endpoint.id};
  for (const config::EndpointIndex proxy : target.via) {
    place.via += (place.via.empty() ? "" : " > ") + scenario.endpoints[proxy.value].id;
  }
  return place;
}

void ExactRows::add(std::uint32_t position, double share, const std::string& assumes, std::uint32_t joint_number,
                    std::uint32_t rows_of_joint) {
  auto found = std::find(bases.begin(), bases.end(), assumes);
  if (found == bases.end()) {
    found = bases.insert(bases.end(), assumes);
  }
  positions.push_back(position);
  shares.push_back(share);
  joint.push_back(joint_number);
  joint_rows.push_back(rows_of_joint);
  basis.push_back(static_cast<std::uint32_t>(found - bases.begin()));
}

SharePlace SharePlaces::at(std::uint32_t position) const {
  if (rows.empty()) {
    return places[position];
  }
  SharePlace place = places[rows[position] / engine::availabilities];
  place.availability = static_cast<envoy::Availability>(rows[position] % engine::availabilities);
  return place;
}

std::size_t ShareBlock::size() const {
  std::size_t rows = 0;
  for_each([&](const ShareCell& /*cell*/) { ++rows; });
  return rows;
}

std::uint32_t ShareBlock::position(const Cursor& at) const {
  const std::uint32_t next_exact = at.exact < exact->positions.size() ? exact->positions[at.exact] : no_position;
  return counted && at.counted < counted->positions.size() ? std::min(next_exact, counted->positions[at.counted])
                                                           : next_exact;
}

ShareCell ShareBlock::cell(const Cursor& at) const {
  ShareCell cell{.position = position(at)};
  cell.exact_basis = &exact->basis_of_others;
  if (at.exact < exact->positions.size() && exact->positions[at.exact] == cell.position) {
    cell.at_rest = exact->shares[at.exact] * part;
    cell.joint = exact->joint[at.exact] == 0 ? 0 : first_joint + exact->joint[at.exact];
    cell.joint_rows = exact->joint_rows[at.exact];
    cell.exact_basis = &exact->bases[exact->basis[at.exact]];
  }
  if (cell.joint == 0) {
    cell.exact = cell.at_rest;
  }
  if (counted) {
    const bool met = at.counted < counted->positions.size() && counted->positions[at.counted] == cell.position;
    cell.requests = met ? counted->requests[at.counted] : 0;
    cell.attempts = met ? counted->attempts_at(at.counted) : 0;
    if (sent > 0) {
      cell.simulated = static_cast<double>(*cell.requests) / static_cast<double>(sent);
    }
    if (sent > 0 && !counted->ci95.empty()) {
      cell.ci95 = met ? counted->ci95[at.counted] : 0.0;
    }
    if (met && !counted->by_replication.empty()) {
      const std::size_t replications = counted->by_replication.size() / counted->positions.size();
      cell.by_replication = std::span(counted->by_replication).subspan(at.counted * replications, replications);
    }
  }
  return cell;
}

void ShareBlock::step(Cursor& at) const {
  const std::uint32_t now = position(at);
  if (at.exact < exact->positions.size() && exact->positions[at.exact] == now) {
    ++at.exact;
  }
  if (counted && at.counted < counted->positions.size() && counted->positions[at.counted] == now) {
    ++at.counted;
  }
}

Share ShareBlock::row(const ShareCell& cell) const {
  Share share{exact->places->at(cell.position)};
  share.epoch = epoch;
  share.client = client;
  share.service = service;
  share.exact = cell.exact;
  share.exact_basis = *cell.exact_basis;
  share.at_rest = cell.at_rest;
  share.joint = cell.joint;
  share.joint_rows = cell.joint_rows;
  share.simulated = cell.simulated;
  share.ci95 = cell.ci95;
  share.requests = cell.requests;
  share.attempts = cell.attempts;
  share.position = first_position + cell.position;
  return share;
}

std::span<const ShareBlock> Shares::of(config::ClientEntryIndex client) const {
  const auto first = std::partition_point(blocks().begin(), blocks().end(),
                                          [&](const ShareBlock& block) { return block.client < client; });
  const auto end =
      std::partition_point(first, blocks().end(), [&](const ShareBlock& block) { return block.client == client; });
  return {first, end};
}

}  // namespace spillway::run
