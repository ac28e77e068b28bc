#include "sim/observed/traces.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace spillway::observed {

using std::chrono::nanoseconds;

Traces traces_of(const AccessLog& log, const std::map<std::string, std::vector<std::string>>& clusters_of) {
  Traces found;
  nanoseconds first = nanoseconds::max();
  for (const LoggedRequest& request : log.requests) {
    const auto owners = clusters_of.find(request.upstream_host);
    const bool known = !request.upstream_cluster.empty() || (owners != clusters_of.end() && owners->second.size() == 1);
    if (request.start && known) {
      const std::string& cluster = request.upstream_cluster.empty() ? owners->second.front() : request.upstream_cluster;
      found.of[cluster].push_back(*request.start);
      first = std::min(first, *request.start);
    }
  }
  for (auto& [cluster, times] : found.of) {
    for (nanoseconds& time : times) {
      time -= first;
    }
    std::sort(times.begin(), times.end());
    found.length = std::max(found.length, times.back());
  }
  if (!found.of.empty()) {
    found.length = std::chrono::floor<std::chrono::milliseconds>(found.length) + std::chrono::milliseconds{1};
  }
  return found;
}

std::string trace_text(const std::vector<nanoseconds>& times) {
  std::string text = "time\n";
  for (const nanoseconds time : times) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(time);
    std::string line = fmt::format("{}.{:09}", whole.count(), (time - whole).count());
    line.erase(line.find_last_not_of('0') + 1);
    if (line.back() == '.') {
      line.pop_back();
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace spillway::observed
