#include "models/documents/problem.hpp"
#include "models/envoy/proxy/runtime.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/messages/scenario.hpp"

namespace spillway::scenario::binding {

Header read_header(const messages::Scenario& file, Sources& sources, Diagnostics& problems) {
  Header header{.file = file, .problems = problems, .sources = sources};
  Scenario& scenario = header.scenario;
  scenario.name = file.name.value_or("");
  scenario.description = file.description.value_or("");
  scenario.source = file.source.value_or("");
  scenario.profile.envoy = static_cast<config::EnvoyProfile>(file.profile->envoy.value_or(0));
  scenario.profile.kuma = static_cast<config::KumaProfile>(file.profile->kuma.value_or(0));
  scenario.profile.istio = static_cast<config::IstioProfile>(file.profile->istio.value_or(0));
  scenario.duration = file.duration.value_or(Nanoseconds{0});
  if (file.runtime) {
    apply(proxy::read_runtime(**file.runtime, proxy::OtherKeys::refused, problems), scenario.runtime);
  }
  scenario.seed = file.seed.value_or(1);
  scenario.mode = file.mode ? static_cast<Mode>(*file.mode) : Mode::requests;
  if (file.duration && *file.duration == Nanoseconds{0}) {
    problems.error("SP126", file.duration.where, "a run of no duration", "must be above 0s");
  }
  return header;
}

}  // namespace spillway::scenario::binding
