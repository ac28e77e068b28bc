#include "reports/text/profile_json.hpp"

#include "reports/text/names.hpp"

namespace spillway::reports {

documents::JsonText profile_json(const config::Profile& profile) {
  return {{"envoy", name_of(profile.envoy)}, {"kuma", name_of(profile.kuma)}, {"istio", name_of(profile.istio)}};
}

}  // namespace spillway::reports
