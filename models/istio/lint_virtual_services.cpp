// Lints of VirtualServices: retries that are off, and short names of another namespace.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/istio/lint_parts.hpp"
#include "models/istio/lints.hpp"

namespace spillway::istio {

namespace {

class VirtualServiceLinter {
 public:
  VirtualServiceLinter(const LintRequest& request, const VirtualService& service, std::vector<Lint>& lints)
      : request_(request), service_(service), lints_(lints) {}

  void lint() {
    for (std::size_t host = 0; host < service_.hosts.size(); ++host) {
      short_name(service_.hosts[host], at("spec.hosts", host), "so that it routes nothing");
    }
    for (std::size_t route = 0; route < service_.http.size(); ++route) {
      const HttpRoute& http = service_.http[route];
      const std::string path = at("spec.http", route);
      if (http.retries && http.retries->attempts == 0) {
        lints_.push_back({.number = 17,
                          .document = service_.meta.age,
                          .path = path + ".retries",
                          .message = "without `attempts` there are no retries at all, not even the two by default",
                          .unless = "attempts"});
      }
      destinations(http.route, path);
    }
    for (std::size_t route = 0; route < service_.tcp.size(); ++route) {
      destinations(service_.tcp[route].route, at("spec.tcp", route));
    }
  }

 private:
  void destinations(const std::vector<RouteDestination>& list, const std::string& path) {
    for (std::size_t position = 0; position < list.size(); ++position) {
      short_name(list[position].destination.host, at(path + ".route", position) + ".destination.host",
                 "so that its requests are answered with a 503");
    }
  }

  // Warns of a name that only a service of another namespace has, and none of the VirtualService's own.
  void short_name(const std::string& host, const std::string& path, const char* effect) {
    if (host.find('.') != std::string::npos || is_wildcard(host)) {
      return;
    }
    const std::string completed = resolve_short_name(host, service_.meta.name_space);
    const Service* elsewhere = nullptr;
    for (const Service& candidate : request_.registry->services) {
      if (candidate.hostname == completed) {
        return;
      }
      if (candidate.hostname.starts_with(host + ".")) {
        elsewhere = &candidate;
      }
    }
    if (elsewhere != nullptr) {
      lints_.push_back(
          {.number = 27,
           .document = service_.meta.age,
           .path = path,
           .message = "is " + completed + ", which no service is, " + effect + "; write " + elsewhere->hostname});
    }
  }

  const LintRequest& request_;
  const VirtualService& service_;
  std::vector<Lint>& lints_;
};

}  // namespace

void lint_virtual_services(const LintRequest& request, std::vector<Lint>& lints) {
  for (const VirtualService& service : request.documents->virtual_services) {
    VirtualServiceLinter(request, service, lints).lint();
  }
}

}  // namespace spillway::istio
