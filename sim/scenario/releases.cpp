#include "sim/scenario/releases.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "models/config/each_endpoint.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {
namespace {

namespace policies = envoy::policies;

// From this release on, all releases pick by the same rules.
constexpr std::uint32_t first_release_alike = 36;

std::string release_words(std::uint32_t release) {
  return "Envoy 1." + std::to_string(release);
}

class Simulator {
 public:
  Simulator(Scenario& scenario, std::uint32_t release) : scenario_(scenario), release_(release) {}

  void simulate() {
    if (release_ < first_release_alike) {
      say("by the rules of " + release_words(release_));
    }
    for (std::size_t index = 0; index < scenario_.services.size(); ++index) {
      Service& service = scenario_.services[index];
      simulate_cluster(service.cluster);
      simulate_endpoints(service);
    }
    const bool several_workers = std::any_of(scenario_.clients.begin(), scenario_.clients.end(),
                                             [](const ClientEntry& client) { return client.concurrency > 1; });
    if (release_ < 36 && weighs_localities_ && several_workers) {
      say("before 1.36 all workers begin with the same locality; here each has its own start, which affects first "
          "picks only");
    }
    for (const auto& [field, since] : left_out_) {
      say(release_words(release_) + " does not know `" + field + "`, which is ignored");
    }
    for (const auto& [what, since] : refused_) {
      say(release_words(release_) + " does not know " + what + " and refuses the cluster; it is simulated as in 1.40");
    }
  }

  // Returns the settings found.
  [[nodiscard]] std::vector<LaterSetting> later() const {
    std::vector<LaterSetting> all;
    for (const auto& [field, since] : left_out_) {
      all.push_back({since, "`" + field + "`", false});
    }
    for (const auto& [what, since] : refused_) {
      all.push_back({since, what, true});
    }
    std::sort(all.begin(), all.end(),
              [](const LaterSetting& left, const LaterSetting& right) { return left.since < right.since; });
    return all;
  }

  // Interface for the policies' in_release() (models/envoy/policies/registry.hpp).
  [[nodiscard]] bool before(std::uint32_t release) const noexcept { return release_ < release; }
  // Resets a field that a later release introduced to its value without it.
  template <class Value>
  void take_back(Value& field, const Value& without, std::uint32_t since, const char* name) {
    if (release_ < since && !(field == without)) {
      field = without;
      left_out_.emplace(name, since);
    }
  }

  void refuse(bool used, std::uint32_t since, const char* what) {
    if (used && release_ < since) {
      refused_.emplace(what, since);
    }
  }

 private:
  void say(std::string note) { scenario_.assumptions.push_back(std::move(note)); }

  void simulate_cluster(envoy::Cluster& cluster) {
    policies::visit_policy(cluster.lb_policy, [&]<class Policy>(auto& config) {
      if constexpr (requires { Policy::in_release(*this, config); }) {
        Policy::in_release(*this, config);
      }
    });
    if (cluster.outlier_detection) {
      config::OutlierDetection& detection = *cluster.outlier_detection;
      const config::OutlierDetection usual;
      take_back(detection.max_ejection_time_jitter, usual.max_ejection_time_jitter, 22, "max_ejection_time_jitter");
      take_back(detection.successful_active_health_check_uneject_host,
                usual.successful_active_health_check_uneject_host, 28, "successful_active_health_check_uneject_host");
      take_back(detection.always_eject_one_host, usual.always_eject_one_host, 31, "always_eject_one_host");
    }
    auto& specifier = cluster.common_lb_config.locality_config_specifier;
    weighs_localities_ = weighs_localities_ || std::holds_alternative<config::LocalityWeightedLbConfig>(specifier);
    if (auto* const zones = std::get_if<config::ZoneAwareLbConfig>(&specifier)) {
      if (release_ < 35 && zones->force_local_zone) {
        zones->force_local_zone.reset();
        left_out_.emplace("force_local_zone", 35);
      }
      take_back(zones->locality_basis, config::ZoneAwareLbConfig{}.locality_basis, 36, "locality_basis");
    }
    refuse(cluster.health_checks.size() > 1, 37, "several health checks");
  }

  void simulate_endpoints(Service& service) {
    take_back(service.load_assignment.weighted_priority_health, false, 27, "weighted_priority_health");
    config::for_each_endpoint(service.load_assignment, [&](config::HostIndex, config::LbEndpoint& endpoint) {
      take_back(endpoint.disable_active_health_check, false, 25, "disable_active_health_check");
    });
  }

  Scenario& scenario_;
  std::uint32_t release_;
  bool weighs_localities_ = false;
  // The release that introduced each removed setting, by name.
  std::map<std::string, std::uint32_t> left_out_;
  std::map<std::string, std::uint32_t> refused_;
};

}  // namespace

std::optional<std::uint32_t> envoy_release_in(std::string_view version) {
  constexpr std::string_view word = "release-";
  if (version.starts_with(word)) {
    version.remove_prefix(word.size());
  }
  constexpr std::string_view major = "1.";
  if (!version.starts_with(major)) {
    return std::nullopt;
  }
  version.remove_prefix(major.size());
  std::uint32_t minor = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), minor);
  const std::string_view rest = version.substr(static_cast<std::size_t>(end - version.data()));
  const bool ends = rest.empty() || rest.front() == '.' || rest.front() == '-';
  return error == std::errc() && ends ? std::optional(minor) : std::nullopt;
}

std::optional<config::EnvoyProfile> profile_of_version(std::string_view version) {
  const auto release = envoy_release_in(version);
  if (!release) {
    return std::nullopt;
  }
  return *release >= config::newest_envoy_release ? config::EnvoyProfile::current
                                                  : config::profile_of_release(*release);
}

void use_release(Scenario& scenario, config::EnvoyProfile profile) {
  scenario.profile.envoy = profile;
  if (profile != config::EnvoyProfile::seed && config::before(profile, config::newest_envoy_release)) {
    Simulator(scenario, config::release_of(profile)).simulate();
  }
}

std::vector<LaterSetting> settings_later_than(std::uint32_t release, Scenario scenario) {
  Simulator simulator(scenario, release);
  simulator.simulate();
  return simulator.later();
}

}  // namespace spillway::scenario
