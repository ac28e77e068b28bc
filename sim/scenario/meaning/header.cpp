#include "sim/scenario/change.hpp"
#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/meaning/runtime.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {

void read_header(Context& so_far) {
  const written::Scenario& file = so_far.file;
  Scenario& scenario = so_far.scenario;
  scenario.name = file.name.value_or("");
  scenario.description = file.description.value_or("");
  scenario.source = file.source.value_or("");
  scenario.profile.envoy = static_cast<config::EnvoyProfile>(file.profile->envoy.value_or(0));
  scenario.profile.kuma = static_cast<config::KumaProfile>(file.profile->kuma.value_or(0));
  scenario.profile.istio = static_cast<config::IstioProfile>(file.profile->istio.value_or(0));
  scenario.duration = file.duration.value_or(Nanoseconds{0});
  if (file.runtime) {
    apply(read_runtime(**file.runtime, OtherKeys::refused, so_far.problems), scenario.runtime);
  }
  scenario.seed = file.seed.value_or(1);
  scenario.mode = file.mode ? static_cast<Mode>(*file.mode) : Mode::requests;
  if (file.duration && *file.duration == Nanoseconds{0}) {
    so_far.problems.push_back(error("SP126", "a run of no duration", file.duration.where, "must be above 0s"));
  }
}

}  // namespace spillway::scenario::meaning
