#include "sim/observed/rate_phases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <set>

#include "models/config/seconds.hpp"

namespace spillway::observed {
namespace {

using std::chrono::nanoseconds;

const std::string* label_among(const Labels& labels, std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const auto found = labels.find(name);
    if (found != labels.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

nanoseconds time_of(double seconds) {
  return nanoseconds{std::llround(seconds * 1e9)};
}

// Converts requests in each stretch between `edges` to phases. Merges groups of stretches, and equal neighbours.
std::vector<RatePhase> phases_between(const std::vector<nanoseconds>& edges, const std::vector<double>& requests) {
  const std::size_t together = (requests.size() + most_phases - 1) / most_phases;
  std::vector<RatePhase> phases;
  for (std::size_t begin = 0; begin < requests.size(); begin += together) {
    const std::size_t end = std::min(begin + together, requests.size());
    double sum = 0.0;
    for (std::size_t stretch = begin; stretch < end; ++stretch) {
      sum += requests[stretch];
    }
    const nanoseconds length = edges[end] - edges[begin];
    const double rate = sum / config::seconds(length);
    if (!phases.empty() && phases.back().rate == rate) {
      phases.back().length += length;
    } else {
      phases.push_back({rate, length});
    }
  }
  return phases;
}

}  // namespace

RatePhases phases_of(const RangeAnswer& answer) {
  std::set<double> times;
  for (const RangeSeries& series : answer.series) {
    for (const RangePoint& point : series.points) {
      times.insert(point.at);
    }
  }
  RatePhases found;
  if (times.size() < 2) {
    return found;
  }
  std::map<double, std::size_t> stretch_before;  // by the stretch's end
  std::vector<nanoseconds> edges;
  for (const double time : times) {
    stretch_before[time] = edges.empty() ? 0 : edges.size() - 1;
    edges.push_back(time_of(time - *times.begin()));
  }
  std::map<std::string, std::vector<double>> requests;
  for (const RangeSeries& series : answer.series) {
    const std::string* const cluster = label_among(series.labels, {"envoy_cluster_name", "cluster_name"});
    if (cluster == nullptr) {
      continue;
    }
    std::vector<double>& of = requests.try_emplace(*cluster, edges.size() - 1, 0.0).first->second;
    for (std::size_t point = 1; point < series.points.size(); ++point) {
      const double before = series.points[point - 1].value;
      const double now = series.points[point].value;
      of[stretch_before.at(series.points[point].at)] += now >= before ? now - before : now;
    }
  }
  for (const auto& [cluster, of] : requests) {
    found.of[cluster] = phases_between(edges, of);
    found.after_drops.insert(cluster);
  }
  found.length = edges.back();
  return found;
}

RatePhases phases_of(const AccessLog& log, const std::map<std::string, std::vector<std::string>>& clusters_of) {
  constexpr std::size_t requests_of_phase = 20;
  RatePhases found;
  std::map<std::string, std::vector<nanoseconds>> starts;
  nanoseconds first = nanoseconds::max();
  nanoseconds last = nanoseconds::min();
  std::size_t busiest = 0;
  for (const LoggedRequest& request : log.requests) {
    const auto owners = clusters_of.find(request.upstream_host);
    const bool known = !request.upstream_cluster.empty() || (owners != clusters_of.end() && owners->second.size() == 1);
    if (!request.start || !known) {
      continue;
    }
    const std::string& cluster = request.upstream_cluster.empty() ? owners->second.front() : request.upstream_cluster;
    if (request.upstream_cluster.empty()) {
      found.after_drops.insert(cluster);
    }
    std::vector<nanoseconds>& of = starts[cluster];
    of.push_back(*request.start);
    busiest = std::max(busiest, of.size());
    first = std::min(first, *request.start);
    last = std::max(last, *request.start);
  }
  if (busiest < 2 || last <= first) {
    return found;
  }
  // The last request also has a pause after it.
  const nanoseconds whole = last - first + (last - first) / static_cast<std::int64_t>(busiest - 1);
  const std::size_t count = std::clamp<std::size_t>(busiest / requests_of_phase, 1, most_phases);
  std::vector<nanoseconds> edges;
  for (std::size_t edge = 0; edge <= count; ++edge) {
    const nanoseconds at{static_cast<std::int64_t>(static_cast<double>(whole.count()) * static_cast<double>(edge) /
                                                   static_cast<double>(count))};
    // Rounded to readable lengths.
    edges.push_back(whole >= std::chrono::seconds{1} ? std::chrono::ceil<std::chrono::milliseconds>(at) : at);
  }
  for (const auto& [cluster, times] : starts) {
    std::vector<double> requests(count, 0.0);
    for (const nanoseconds time : times) {
      const auto edge = std::upper_bound(edges.begin(), edges.end(), time - first);
      const auto stretch = static_cast<std::size_t>(edge - edges.begin()) - 1;
      requests[std::min(stretch, count - 1)] += 1.0;
    }
    found.of[cluster] = phases_between(edges, requests);
  }
  found.length = edges.back();
  return found;
}

}  // namespace spillway::observed
