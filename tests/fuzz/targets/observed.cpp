// What a live proxy tells, damaged or not: read or refused, with a code and a place.
#include <cmath>
#include <string>

#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "models/documents/utf8.hpp"
#include "sim/observed/access_log.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/rate_phases.hpp"
#include "sim/observed/read_clusters.hpp"
#include "sim/observed/server.hpp"
#include "sim/observed/stats.hpp"
#include "sim/observed/traces.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

// Everything that has a value has no error, and the other way round.
template <class Read>
auto judged(std::string_view text, const char* name, Read read) {
  Sources sources = {{name, std::string(text)}};
  Diagnostics problems;
  auto value = read(sources, 0U, problems);
  require(value.has_value() != has_errors(problems), "read or refused");
  for (const Diagnostic& problem : problems) {
    require(documents::find_diagnostic_code(problem.code) != nullptr, "every diagnostic has a code that is known");
  }
  const std::string shown = documents::render_diagnostics(problems, sources);
  require(!documents::find_invalid_utf8(shown), "what is said is UTF-8");
  require(shown.find('\x1b') == std::string::npos, "what is said drives no terminal");
  return value;
}

void judge(const observed::RatePhases& phases) {
  for (const auto& [cluster, of] : phases.of) {
    require(of.size() <= observed::most_phases, "phases are no more than may be told");
    for (const observed::RatePhase& phase : of) {
      require(std::isfinite(phase.rate) && phase.rate >= 0.0, "a rate is a number of requests a second");
      require(phase.length.count() > 0, "a phase takes time");
    }
  }
}

}  // namespace

// The first byte says what the text is told to be.
void read_observed(std::string_view text) {
  const unsigned kind = text.empty() ? 0 : static_cast<unsigned char>(text.front()) % 6;
  text.remove_prefix(text.empty() ? 0 : 1);
  switch (kind) {
    case 0:
      if (const auto clusters = judged(text, "clusters.txt", observed::read_clusters)) {
        const auto members = observed::memberships(*clusters, observed::HealthOf::everything);
        require(members.size() == clusters->clusters.size(), "every cluster has its members");
      }
      break;
    case 1:
      static_cast<void>(judged(text, "stats.txt", observed::read_stats));
      break;
    case 2:
      if (const auto log = judged(text, "access.log", observed::read_access_log)) {
        require(!log->requests.empty(), "a log that is read has requests");
        judge(observed::phases_of(*log, {}));
        for (const auto& [cluster, times] : observed::traces_of(*log, {}).of) {
          for (std::size_t request = 1; request < times.size(); ++request) {
            require(times[request - 1] <= times[request], "a trace is in the order of time");
          }
          require(times.empty() || times.front().count() >= 0, "and begins with the log");
        }
      }
      break;
    case 3:
      static_cast<void>(judged(text, "server_info.json", observed::read_server_info));
      break;
    case 4:
      static_cast<void>(judged(text, "runtime.json", observed::read_runtime_values));
      break;
    default:
      if (const auto answer = judged(text, "range.json", observed::read_range_answer)) {
        judge(observed::phases_of(*answer));
      }
  }
}

}  // namespace spillway::fuzzing
