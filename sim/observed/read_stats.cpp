#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/observed/clusters.hpp"
#include "sim/observed/json_values.hpp"
#include "sim/observed/lines.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/repeated.hpp"
#include "sim/observed/stats.hpp"

namespace spillway::observed {
namespace {
// The statistics kept per cluster. Cluster names may contain dots, so a name ends where one of these begins.
constexpr std::array kept_statistics = std::to_array<std::string_view>({"upstream_rq_total",
                                                                        "upstream_rq_completed",
                                                                        "upstream_rq_retry",
                                                                        "upstream_rq_retry_success",
                                                                        "upstream_rq_timeout",
                                                                        "upstream_rq_pending_overflow",
                                                                        "upstream_rq_pending_failure_eject",
                                                                        "upstream_rq_active",
                                                                        "upstream_rq_5xx",
                                                                        "upstream_cx_connect_fail",
                                                                        "upstream_cx_none_healthy",
                                                                        "upstream_cx_total",
                                                                        "membership_change",
                                                                        "membership_total",
                                                                        "membership_healthy",
                                                                        "membership_degraded",
                                                                        "membership_excluded",
                                                                        "lb_healthy_panic",
                                                                        "lb_zone_routing_all_directly",
                                                                        "lb_zone_routing_sampled",
                                                                        "lb_zone_routing_cross_zone",
                                                                        "lb_local_cluster_not_ok",
                                                                        "lb_subsets_selected",
                                                                        "lb_subsets_fallback",
                                                                        "health_check.failure",
                                                                        "health_check.attempt",
                                                                        "outlier_detection.ejections_enforced_total",
                                                                        "outlier_detection.ejections_active",
                                                                        "update_success"});

constexpr std::array kept_of_server = std::to_array<std::string_view>({"uptime", "concurrency", "live"});

std::string with_underscores(std::string_view text) {
  std::string name(text);
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == '-' || c == ':'; }, '_');
  return name;
}

// Stores a statistic; false if it was stored before.
bool keep(Stats& stats, std::string_view name, std::uint64_t value) {
  constexpr std::string_view server = "server.";
  constexpr std::string_view cluster = "cluster.";
  if (name.starts_with(server)) {
    const std::string_view statistic = name.substr(server.size());
    if (std::find(kept_of_server.begin(), kept_of_server.end(), statistic) != kept_of_server.end()) {
      return stats.server.emplace(statistic, value).second;
    }
    return true;
  }
  if (!name.starts_with(cluster)) {
    return true;
  }
  name.remove_prefix(cluster.size());
  for (const std::string_view statistic : kept_statistics) {
    if (name.size() > statistic.size() + 1 && name.ends_with(statistic) &&
        name[name.size() - statistic.size() - 1] == '.') {
      const std::string_view of = name.substr(0, name.size() - statistic.size() - 1);
      // Skips cluster.<name>.zone.<from>.<to>.upstream_rq_completed, and the counts of canaries and internal requests.
      if (of.find(".zone.") == std::string_view::npos && !of.ends_with(".internal") && !of.ends_with(".external") &&
          !of.ends_with(".canary")) {
        return stats.clusters[std::string(of)].emplace(with_underscores(statistic), value).second;
      }
      return true;
    }
  }
  return true;
}

enum class Kept : std::uint8_t { well, unreadable, again };

// Reads "name: value". Histograms and texts have other values and are left out.
Kept keep_text_line(Stats& stats, std::string_view line) {
  const std::size_t split = line.find(": ");
  if (split == std::string_view::npos || split == 0 || line.substr(0, split).find(' ') != std::string_view::npos) {
    return Kept::unreadable;
  }
  const auto value = whole_number(line.substr(split + 2));
  return !value || keep(stats, line.substr(0, split), *value) ? Kept::well : Kept::again;
}

// Counts of hosts, by cluster and address.
using Endpoints = std::map<std::string, std::map<std::string, HostCounters>>;

const std::string* label(const Sample& sample, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = sample.labels.find(name);
    if (found != sample.labels.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

void keep_of_endpoint(HostCounters& into, std::string_view name, std::uint64_t value) {
  for (const HostCounterName& known : host_counter_names) {
    if (known.name == name) {
      into.*known.counter += value;
    }
  }
}

void keep_sample(Stats& stats, Endpoints& endpoints, const Sample& sample) {
  constexpr std::string_view of_cluster = "envoy_cluster_";
  constexpr std::string_view of_endpoint = "envoy_cluster_endpoint_";
  constexpr std::string_view of_server = "envoy_server_";
  if (sample.value < 0.0) {
    return;
  }
  const auto value = static_cast<std::uint64_t>(std::min(sample.value, 1e18));
  if (sample.name.starts_with(of_server)) {
    const std::string_view statistic = sample.name.substr(of_server.size());
    if (std::find(kept_of_server.begin(), kept_of_server.end(), statistic) != kept_of_server.end()) {
      stats.server.insert_or_assign(std::string(statistic), value);
    }
    return;
  }
  const std::string* const cluster = label(sample, {"envoy_cluster_name", "cluster_name"});
  if (cluster == nullptr || !sample.name.starts_with(of_cluster)) {
    return;
  }
  if (const std::string* const address = label(sample, {"envoy_endpoint_address", "endpoint_address"});
      address != nullptr && sample.name.starts_with(of_endpoint)) {
    keep_of_endpoint(endpoints[*cluster][*address], sample.name.substr(of_endpoint.size()), value);
    return;
  }
  const std::string statistic(sample.name.substr(of_cluster.size()));
  for (const std::string_view kept : kept_statistics) {
    if (with_underscores(kept) == statistic) {
      stats.clusters[*cluster][statistic] += value;
    }
  }
}

bool looks_like_prometheus(std::string_view text) {
  return text.starts_with("# TYPE ") || text.starts_with("# HELP ") || text.starts_with("envoy_") ||
         text.find("\n# TYPE ") != std::string_view::npos;
}

// A reader of text lines, or of Prometheus lines with one sample each.
class LineReader {
 public:
  LineReader(bool is_prometheus, std::uint32_t file, Diagnostics& problems)
      : is_prometheus_(is_prometheus), file_(file), problems_(&problems) {}

  std::optional<Stats> read(std::string_view text) {
    bool good = true;
    std::size_t lines = 0;
    for_each_line(text, [&](const Line& line) {
      if (line.text.empty() || !good || is_of_a_terminal(line.text) || (is_prometheus_ && line.text.front() == '#')) {
        return;
      }
      ++lines;
      good = add(line);
    });
    if (good && lines == 0) {
      problems_->error("SP003", {file_, 1, 1, 1}, "nothing in the file", "empty");
    }
    for (const auto& [name, hosts] : endpoints_) {
      Cluster& cluster = stats_.per_endpoint.clusters.emplace_back(Cluster{name});
      for (const auto& [address, counters] : hosts) {
        cluster.hosts.push_back({.address = address, .counters = counters});
      }
    }
    return good && lines > 0 ? std::optional(std::move(stats_)) : std::nullopt;
  }

 private:
  // Adds a line; if false, `problems_` has the reason.
  bool add(const Line& line) {
    const Kept kept = is_prometheus_ ? keep_prometheus_line(line.text) : keep_text_line(stats_, line.text);
    if (kept == Kept::unreadable) {
      problems_->error("SP790", line.span(file_), "not a line of /stats", "cannot be read")
          .help("expected the output of the admin interface's /stats, as text, JSON or for Prometheus");
    }
    if (kept == Kept::again) {
      problems_->push_back(second_output("/stats", line.text.substr(0, line.text.rfind(' ')), line.span(file_)));
    }
    return kept == Kept::well;
  }

  Kept keep_prometheus_line(std::string_view line) {
    const auto sample = parse_sample(line);
    if (!sample) {
      return line.ends_with("NaN") || line.ends_with("Inf") ? Kept::well : Kept::unreadable;
    }
    if (!seen_[sample->name].insert(sample->labels).second) {
      return Kept::again;
    }
    keep_sample(stats_, endpoints_, *sample);
    return Kept::well;
  }

  bool is_prometheus_;
  std::uint32_t file_;
  Diagnostics* problems_;
  Stats stats_;
  Endpoints endpoints_;
  std::map<std::string_view, std::set<Labels>> seen_;
};

std::optional<Stats> stats_of_json(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const auto root = documents::parse(sources, file, problems);
  if (!root) {
    return std::nullopt;
  }
  const Node* const list = member(*root, "stats");
  if (list == nullptr || list->kind != documents::Kind::array) {
    problems.error("SP790", root->span, "not the JSON of /stats", "has no list `stats`")
        .help("expected the output of the admin interface's /stats?format=json");
    return std::nullopt;
  }
  Stats stats;
  for (const Node& one : list->items) {
    const auto value = count_of(member(one, "value"));
    if (value && !keep(stats, text_of(member(one, "name")), *value)) {
      problems.push_back(second_output("/stats", text_of(member(one, "name")), one.span));
      return std::nullopt;
    }
  }
  return stats;
}

}  // namespace

std::string statistics_name(std::string_view cluster) {
  std::string name(cluster);
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

std::optional<std::uint64_t> Stats::of(std::string_view cluster, std::string_view statistic) const {
  for (const std::string& name : {std::string(cluster), statistics_name(cluster)}) {
    const auto found = clusters.find(name);
    if (found != clusters.end()) {
      const auto value = found->second.find(statistic);
      return value == found->second.end() ? std::nullopt : std::optional(value->second);
    }
  }
  return std::nullopt;
}

std::optional<Stats> read_stats(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const std::string& text = sources[file].text;
  return looks_like_json(text) ? stats_of_json(sources, file, problems)
                               : LineReader(looks_like_prometheus(text), file, problems).read(text);
}

}  // namespace spillway::observed
