#include "sim/engine/entity.hpp"

#include "models/numeric/hash.hpp"

namespace spillway::engine {

std::uint64_t entity(std::string_view name, std::uint64_t number, std::string_view part) {
  const std::uint64_t whole = numeric::xxhash64(name, number);
  return part.empty() ? whole : numeric::xxhash64(part, whole);
}

std::uint64_t worker_of(std::uint64_t proxy, std::uint64_t worker) {
  return worker == 0 ? proxy : numeric::xxhash64("worker", proxy + worker);
}

}  // namespace spillway::engine
