#include "models/kuma/proxy/outbound_listener.hpp"

#include <array>
#include <cmath>

#include "models/documents/node.hpp"
#include "models/envoy/proxy/path_options.hpp"

namespace spillway::kuma {

namespace {

documents::Node normalizing_manager() {
  documents::Node flag;
  flag.kind = documents::Kind::boolean;
  flag.boolean = true;
  documents::Node manager;
  manager.kind = documents::Kind::object;
  manager.members.push_back({"normalize_path", {}, std::move(flag)});
  return manager;
}

}  // namespace

FractionalPercent fractional_percent(std::uint64_t part, std::uint64_t whole) {
  constexpr std::array<std::uint32_t, 3> denominators = {100, 10'000, 1'000'000};
  for (const std::uint32_t denominator : denominators) {
    if (part * denominator % whole == 0) {
      return {static_cast<std::uint32_t>(part * denominator / whole), denominator};
    }
  }
  // The percentage is rounded to four decimals first, and its millionths are truncated.
  constexpr double decimals = 10'000.0;
  const double percentage = static_cast<double>(part) * 100.0 / static_cast<double>(whole);
  return {static_cast<std::uint32_t>(std::round(percentage * decimals)), denominators.back()};
}

envoy::routes::Request normalized(const OutboundListener& listener, envoy::routes::Request request) {
  static const documents::Node manager = normalizing_manager();
  for (auto& [name, value] : request.headers) {
    if (listener.is_http && envoy::routes::same_header_name(name, ":path")) {
      value = proxy::forwarded_path(&manager, value).value_or(value);
    }
  }
  return request;
}

Taken taken_by(const OutboundListener& listener, const envoy::routes::Request& request) {
  Taken taken;
  for (const OutboundRoute& route : listener.routes) {
    if (!envoy::routes::matches(route.match, request)) {
      continue;
    }
    const double fraction = route.runtime_fraction ? route.runtime_fraction->ratio() : 1.0;
    if (route.answers_500) {
      taken.answered_500 += (1.0 - taken.answered_500) * fraction;
      if (!route.runtime_fraction) {
        return taken;
      }
      continue;
    }
    taken.route = &route;
    return taken;
  }
  return taken;
}

}  // namespace spillway::kuma
