#include "sim/run/shares.hpp"

#include <limits>

namespace spillway::run {

namespace {

constexpr double unknown_share = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void ExactRows::add(std::uint32_t position, std::optional<double> share, const std::string& assumes) {
  auto found = std::find(bases.begin(), bases.end(), assumes);
  if (found == bases.end()) {
    found = bases.insert(bases.end(), assumes);
  }
  positions.push_back(position);
  shares.push_back(share.value_or(unknown_share));
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
  if (at.exact < exact->positions.size() && exact->positions[at.exact] == cell.position) {
    const double share = exact->shares[at.exact];
    cell.exact = std::isnan(share) ? std::nullopt : std::optional(share * part);
    cell.exact_basis = &exact->bases[exact->basis[at.exact]];
  } else {
    cell.exact = exact->others_known ? std::optional(0.0) : std::nullopt;
    cell.exact_basis = &exact->basis_of_others;
  }
  if (counted) {
    const bool met = at.counted < counted->positions.size() && counted->positions[at.counted] == cell.position;
    cell.requests = met ? counted->requests[at.counted] : 0;
    cell.attempts = met ? counted->attempts[at.counted] : 0;
    cell.simulated = sent > 0 ? static_cast<double>(*cell.requests) / static_cast<double>(sent) : 0.0;
    if (!counted->ci95.empty()) {
      cell.ci95 = met ? counted->ci95[at.counted] : 0.0;
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
  return {exact->places->at(cell.position),
          epoch,
          client,
          service,
          cell.exact,
          *cell.exact_basis,
          cell.simulated,
          cell.ci95,
          cell.requests,
          cell.attempts,
          first_position + cell.position};
}

std::span<const ShareBlock> Shares::of(config::ClientEntryIndex client) const {
  const auto first = std::partition_point(blocks_.begin(), blocks_.end(),
                                          [&](const ShareBlock& block) { return block.client < client; });
  const auto end =
      std::partition_point(first, blocks_.end(), [&](const ShareBlock& block) { return block.client == client; });
  return {first, end};
}

std::size_t Shares::size() const {
  std::size_t rows = 0;
  for (const ShareBlock& block : blocks_) {
    rows += block.size();
  }
  return rows;
}

Share Shares::operator[](std::size_t row) const {
  Iterator at = begin();
  for (std::size_t skipped = 0; skipped < row; ++skipped) {
    ++at;
  }
  return *at;
}

}  // namespace spillway::run
