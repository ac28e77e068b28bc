#include "sim/control_plane/mesh.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/kuma/digest.hpp"
#include "models/kuma/names.hpp"
#include "sim/engine/entity.hpp"
#include "sim/engine/random_stream.hpp"

namespace spillway::control_plane {

namespace {

constexpr std::uint32_t no_instance = UINT32_MAX;  // resources other than instances: policies
constexpr std::uint32_t inbound_port = 8080;
constexpr std::uint32_t ingress_port = 10001;

// Returns the last of these versions that is not after `version`; 0 if there is none.
std::uint64_t last_of(const std::vector<std::uint64_t>& versions, std::uint64_t version) {
  const auto after = std::upper_bound(versions.begin(), versions.end(), version);
  return after == versions.begin() ? 0 : *(after - 1);
}

std::string zone_name(std::uint32_t zone) {
  return fmt::format("zone-{}", zone + 1);
}

}  // namespace

Mesh::Mesh(const scenario::ControlPlaneSetting& setting, std::uint64_t seed)
    : instances_(setting.instances),
      zones_(setting.zones),
      lives_(std::size_t{setting.services} * setting.instances),
      changes_(setting.services),
      alive_(setting.services, 0) {
  draw_reachable(setting, seed);
}

// Draws reachable services: one that is d places away is reached with probability proportional to 1/d, as in the
// generator of the documents' test.
void Mesh::draw_reachable(const scenario::ControlPlaneSetting& setting, std::uint64_t seed) {
  std::vector<double> sums;  // of 1/d
  double sum = 0.0;
  for (std::uint32_t distance = 1; distance < setting.services; ++distance) {
    sum += 1.0 / static_cast<double>(distance);
    sums.push_back(sum);
  }
  first_reachable_.push_back(0);
  for (std::uint32_t service = 0; service < setting.services; ++service) {
    engine::RandomStream stream({seed, engine::Purpose::connections, engine::entity("reachable services", service), 0});
    const std::uint32_t others = setting.acyclic ? setting.services - 1 - service : setting.services - 1;
    std::vector<std::uint32_t> drawn;
    while (drawn.size() < std::min(setting.reachable_services, others)) {
      const double draw = engine::unit_interval(stream);
      std::uint32_t other = 0;
      if (setting.acyclic) {
        const auto found = std::lower_bound(sums.begin(), sums.begin() + others, draw * sums[others - 1]);
        other = service + 1 + std::min(static_cast<std::uint32_t>(found - sums.begin()), others - 1);
      } else {
        const auto place = std::min(static_cast<std::uint32_t>((1.0 - draw) * others), others - 1);
        other = place < service ? place : place + 1;
      }
      if (std::find(drawn.begin(), drawn.end(), other) == drawn.end()) {
        drawn.push_back(other);
      }
    }
    std::sort(drawn.begin(), drawn.end());
    reachable_.insert(reachable_.end(), drawn.begin(), drawn.end());
    first_reachable_.push_back(reachable_.size());
  }
}

std::uint64_t Mesh::change(std::uint32_t resource) {
  hashed_.push_back(resource);
  return version();
}

void Mesh::change_service(std::uint32_t instance, std::uint64_t version) {
  changes_[service_of(instance)].push_back(version);
}

void Mesh::join(std::uint32_t instance) {
  lives_[instance].joined = change(instance);
  change_service(instance, version());
  ++resources_;
  if (alive_[service_of(instance)]++ == 0) {
    ++present_;
  }
}

void Mesh::leave(std::uint32_t instance) {
  lives_[instance].left = change(instance);
  change_service(instance, version());
  --resources_;
  if (--alive_[service_of(instance)] == 0) {
    --present_;
  }
}

void Mesh::apply(scenario::MeshChange::What what) {
  const std::uint64_t version = change(what == scenario::MeshChange::What::dataplane ? 0 : no_instance);
  if (what == scenario::MeshChange::What::mesh_policy) {
    policies_.push_back(version);
  }
}

std::uint64_t Mesh::endpoints_version(std::uint32_t service, std::uint64_t version) const {
  return last_of(changes_[service], version);
}

std::uint64_t Mesh::policy_version(std::uint64_t version) const {
  return last_of(policies_, version);
}

std::vector<kuma::Endpoint> Mesh::endpoints(std::uint32_t service, std::uint64_t version) const {
  std::vector<kuma::Endpoint> endpoints;
  std::vector<std::uint32_t> remote(zones_, 0);  // instances
  const std::string name = fmt::format("service-{}", service);
  const auto add = [&](std::string address, std::uint32_t port, std::uint32_t weight, std::uint32_t zone) {
    kuma::Endpoint& endpoint = endpoints.emplace_back();
    endpoint.address = std::move(address);
    endpoint.port = port;
    endpoint.weight = weight;
    endpoint.tags = {{std::string(kuma::service_tag), name}, {std::string(kuma::zone_tag), zone_name(zone)}};
    endpoint.locality = kuma::EndpointLocality{.zone = zone_name(zone)};
  };
  for (std::uint32_t number = 0; number < instances_; ++number) {
    const std::uint32_t instance = service * instances_ + number;
    if (!lives_[instance].at(version)) {
      continue;
    }
    if (zone_of(instance) != 0) {
      ++remote[zone_of(instance)];
      continue;
    }
    constexpr std::uint32_t byte = 256;
    add(fmt::format("10.{}.{}.{}", instance / byte / byte % byte, instance / byte % byte, instance % byte),
        inbound_port, std::max(zones_ - 1, 1U), 0);
  }
  for (std::uint32_t zone = 1; zone < zones_; ++zone) {
    if (remote[zone] > 0) {
      add(fmt::format("ingress.{}", zone_name(zone)), ingress_port, remote[zone], zone);
    }
  }
  return endpoints;
}

const std::string& Mesh::hash(std::uint64_t version) {
  for (; hash_version_ < version; ++hash_version_) {
    hash_ = kuma::base64_sha256(fmt::format("{}:{}:{}", hash_, hashed_[hash_version_], hash_version_ + 1));
  }
  return hash_;
}

}  // namespace spillway::control_plane
