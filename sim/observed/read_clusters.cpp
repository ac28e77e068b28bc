#include "sim/observed/read_clusters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/json_values.hpp"
#include "sim/observed/lines.hpp"
#include "sim/observed/repeated.hpp"

namespace spillway::observed {

namespace {

using documents::Member;
using envoy::HostFlag;

std::string address_of(const Node& host) {
  const Node* const address = member(host, "address");
  if (const Node* const socket = address != nullptr ? member(*address, "socket_address") : nullptr) {
    const std::string ip = text_of(member(*socket, "address"));
    const std::string port = std::to_string(count_of(member(*socket, "port_value")).value_or(0));
    return (ip.find(':') == std::string::npos ? ip : "[" + ip + "]") + ":" + port;
  }
  if (const Node* const pipe = address != nullptr ? member(*address, "pipe") : nullptr) {
    return text_of(member(*pipe, "path"));
  }
  if (const Node* const own = address != nullptr ? member(*address, "envoy_internal_address") : nullptr) {
    return "envoy://" + text_of(member(*own, "server_listener_name")) + "/" + text_of(member(*own, "endpoint_id"));
  }
  return "";
}

envoy::HostFlags flags_of(const Node* health, Diagnostics& problems) {
  envoy::HostFlags all;
  if (health == nullptr) {
    return all;
  }
  // HostHealthStatus has other names than the text format for two flags.
  constexpr std::array other_names = std::to_array<std::pair<std::string_view, HostFlag>>(
      {{"failed_active_health_check", HostFlag::failed_active_hc},
       {"failed_active_degraded_check", HostFlag::degraded_active_hc}});
  for (const Member& one : health->members) {
    if (one.key == "eds_health_status") {
      set_eds_health(all, text_of(&one.value));
      continue;
    }
    const auto other =
        std::find_if(other_names.begin(), other_names.end(), [&](const auto& name) { return name.first == one.key; });
    const auto flag = other != other_names.end() ? std::optional(other->second) : host_flag_of(one.key);
    if (!flag) {
      problems.push_back(unknown_flag(one.key, one.key_span));
    } else if (one.value.boolean) {
      all.set(*flag);
    }
  }
  return all;
}

Host host_of(const Node& written, Diagnostics& problems) {
  Host host{address_of(written)};
  host.hostname = text_of(member(written, "hostname"));
  if (const Node* const locality = member(written, "locality")) {
    host.locality = {text_of(member(*locality, "region")), text_of(member(*locality, "zone")),
                     text_of(member(*locality, "sub_zone"))};
  }
  host.priority.value = static_cast<std::uint32_t>(count_of(member(written, "priority")).value_or(0));
  host.weight = static_cast<std::uint32_t>(count_of(member(written, "weight")).value_or(1));
  host.flags = flags_of(member(written, "health_status"), problems);
  if (const Node* const stats = member(written, "stats")) {
    for (const Node& stat : stats->items) {
      const std::string name = text_of(member(stat, "name"));
      for (const HostCounterName& counter : host_counter_names) {
        if (counter.name == name) {
          host.counters.*counter.counter = count_of(member(stat, "value")).value_or(0);
        }
      }
    }
  }
  return host;
}

// Reads the entire output, or one of its clusters as a JSON filter prints it.
std::optional<Clusters> clusters_of_json(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const auto root = documents::parse(sources, file, problems);
  if (!root) {
    return std::nullopt;
  }
  // One cluster only, as a JSON filter prints it.
  Node alone;
  const Node* statuses = member(*root, "cluster_statuses");
  if (statuses == nullptr && member(*root, "host_statuses") != nullptr) {
    alone.kind = documents::Kind::array;
    alone.items.push_back(*root);
    statuses = &alone;
  }
  if (statuses == nullptr || statuses->kind != documents::Kind::array) {
    problems.error("SP790", root->span, "not the JSON of /clusters", "has no `cluster_statuses`")
        .help("expected the output of the admin interface's /clusters?format=json");
    return std::nullopt;
  }
  Clusters read;
  std::vector<std::vector<Span>> places;  // of hosts, by cluster
  std::set<std::string> names;
  for (const Node& written : statuses->items) {
    Cluster cluster{text_of(member(written, "name"))};
    places.emplace_back();
    if (!names.insert(cluster.name).second) {
      problems.push_back(second_output("/clusters", cluster.name, written.span));
    }
    const Node* const api = member(written, "added_via_api");
    cluster.added_via_api = api != nullptr && api->boolean;
    if (const Node* const hosts = member(written, "host_statuses")) {
      for (const Node& host : hosts->items) {
        cluster.hosts.push_back(host_of(host, problems));
        places.back().push_back(host.span);
        if (cluster.hosts.back().address.empty()) {
          problems.error("SP790", host.span, "a host without an address", "has no known address");
        }
      }
    }
    read.clusters.push_back(std::move(cluster));
  }
  warn_of_repeated_hosts(read, places, problems);
  return std::any_of(problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end(),
                     [](const auto& problem) { return problem.severity == Severity::error; })
             ? std::nullopt
             : std::optional(std::move(read));
}

// One host's line of the text: `<cluster>::<address>::<key>::<value>`. Cluster names may contain colons, and IPv6
// addresses contain two in a row.
struct HostLine {
  std::string_view cluster;
  std::string_view address;
  std::string_view key;
  std::string_view value;
};

constexpr std::array host_keys = std::to_array<std::string_view>(
    {"cx_active", "cx_connect_fail", "cx_total", "rq_active", "rq_error", "rq_pending_active", "rq_success",
     "rq_timeout", "rq_total", "hostname", "health_flags", "weight", "region", "zone", "sub_zone", "canary", "priority",
     "success_rate", "local_origin_success_rate"});

// Splits a line before its key at `at`; the value is the text after the key.
std::optional<HostLine> split_at(std::string_view line, std::string_view key, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  const bool bracketed = before.find("::[") != std::string_view::npos;
  const std::size_t split = bracketed ? before.rfind("::[") : before.rfind("::");
  if (split == std::string_view::npos || split == 0) {
    return std::nullopt;
  }
  return HostLine{before.substr(0, split), before.substr(split + 2), key, line.substr(at + key.size() + 4)};
}

bool is_host_key(std::string_view word) {
  return std::find(host_keys.begin(), host_keys.end(), word) != host_keys.end();
}

std::optional<HostLine> host_line(std::string_view line) {
  const std::size_t last = line.rfind("::");
  const std::size_t before_last = last == std::string_view::npos || last < 2 ? last : line.rfind("::", last - 2);
  if (before_last != std::string_view::npos && before_last < last) {
    const std::string_view key = line.substr(before_last + 2, last - before_last - 2);
    if (is_host_key(key)) {
      return split_at(line, key, before_last);
    }
  }
  // The value may contain colons: a host's name, a zone.
  for (const std::string_view key : host_keys) {
    const std::size_t at = line.find("::" + std::string(key) + "::");
    if (at != std::string_view::npos) {
      return split_at(line, key, at);
    }
  }
  return std::nullopt;
}

// Returns the name of the cluster that the line is about; nullopt if the line is about a host.
std::optional<std::string_view> cluster_of(std::string_view line) {
  constexpr std::array marks =
      std::to_array<std::string_view>({"::observability_name::", "::added_via_api::", "::eds_service_name::",
                                       "::outlier::", "::default_priority::", "::high_priority::"});
  for (const std::string_view mark : marks) {
    const std::size_t at = line.find(mark);
    if (at != std::string_view::npos && at > 0) {
      return line.substr(0, at);
    }
  }
  return std::nullopt;
}

class TextReader {
 public:
  TextReader(std::uint32_t file, Diagnostics& problems) : file_(file), problems_(&problems) {}

  std::optional<Clusters> read(std::string_view text) {
    for_each_line(text, [&](const Line& line) {
      if (!line.text.empty() && !failed_ && !is_of_a_terminal(line.text)) {
        add(line);
      }
    });
    if (failed_) {
      return std::nullopt;
    }
    warn_of_repeated_hosts(read_, places_, *problems_);
    return std::move(read_);
  }

 private:
  void add(const Line& line) {
    if (const auto host = host_line(line.text)) {
      add(*host, line);
      return;
    }
    const auto name = cluster_of(line.text);
    if (!name) {
      failed_ = true;
      problems_->error("SP790", line.span(file_), "not a line of /clusters", "cannot be read")
          .help("expected the output of the admin interface's /clusters, as text or as JSON");
      return;
    }
    Cluster& cluster = cluster_called(*name, line);
    if (!own_lines_.insert(line.text.substr(0, line.text.rfind("::"))).second) {
      refuse_second(cluster.name, line);
    }
    cluster.added_via_api = cluster.added_via_api || line.text.ends_with("::added_via_api::true");
  }

  // Returns the cluster; Envoy prints all lines of a cluster together.
  Cluster& cluster_called(std::string_view name, const Line& line) {
    const auto [known, fresh] = positions_.emplace(std::string(name), read_.clusters.size());
    if (fresh) {
      read_.clusters.push_back({std::string(name)});
      places_.emplace_back();
    } else if (known->second != current_) {
      refuse_second(name, line);
    }
    current_ = known->second;
    return read_.clusters[current_];
  }

  void refuse_second(std::string_view cluster, const Line& line) {
    if (!failed_) {
      failed_ = true;
      problems_->push_back(second_output("/clusters", cluster, line.span(file_)));
    }
  }

  void add(const HostLine& line, const Line& whole) {
    Cluster& cluster = cluster_called(line.cluster, whole);
    const bool same =
        !cluster.hosts.empty() && cluster.hosts.back().address == line.address && !seen_.contains(line.key);
    if (!same) {
      cluster.hosts.push_back({std::string(line.address)});
      places_[current_].push_back(whole.span(file_));
      seen_.clear();
    }
    seen_.emplace(line.key, true);
    set(cluster.hosts.back(), line, whole);
  }

  void set(Host& host, const HostLine& line, const Line& whole) {
    if (line.key == "hostname") {
      host.hostname = line.value;
    } else if (line.key == "region") {
      host.locality.region = line.value;
    } else if (line.key == "zone") {
      host.locality.zone = line.value;
    } else if (line.key == "sub_zone") {
      host.locality.sub_zone = line.value;
    } else if (line.key == "health_flags") {
      set_flags(host, line.value, whole);
    } else if (line.key == "weight" || line.key == "priority") {
      const auto number = counted(line, whole);
      (line.key == "weight" ? host.weight : host.priority.value) =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(number, std::numeric_limits<std::uint32_t>::max()));
    } else {
      for (const HostCounterName& counter : host_counter_names) {
        if (counter.name == line.key) {
          host.counters.*counter.counter = counted(line, whole);
        }
      }
    }
  }

  std::uint64_t counted(const HostLine& line, const Line& whole) {
    const auto number = whole_number(line.value);
    if (!number && !failed_) {
      failed_ = true;
      problems_->error("SP791", whole.span(file_), "not a count", "`{}` is not a whole number, as {} is",
                       {line.value, line.key});
    }
    return number.value_or(0);
  }

  void set_flags(Host& host, std::string_view text, const Line& whole) {
    if (text == "healthy") {
      return;
    }
    while (!text.empty()) {
      text.remove_prefix(text.front() == '/' ? 1 : 0);
      const std::size_t end = std::min(text.find('/'), text.size());
      const auto flag = host_flag_of(text.substr(0, end));
      if (flag) {
        host.flags.set(*flag);
      } else {
        problems_->push_back(unknown_flag(text.substr(0, end), whole.span(file_)));
      }
      text.remove_prefix(end);
    }
  }

  std::uint32_t file_;
  Diagnostics* problems_;
  Clusters read_;
  std::map<std::string, std::size_t> positions_;
  std::map<std::string_view, bool> seen_;  // keys of the last host
  std::set<std::string_view> own_lines_;   // those about a cluster itself, without their values
  std::vector<std::vector<Span>> places_;  // of hosts, by cluster
  std::size_t current_ = 0;                // the cluster of the last line
  bool failed_ = false;
};

}  // namespace

bool looks_like_clusters(std::string_view text) {
  constexpr std::size_t beginning = 200;
  if (looks_like_json(text)) {
    return text.substr(0, beginning).find("\"cluster_statuses\"") != std::string_view::npos;
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  return host_line(line).has_value() || cluster_of(line).has_value();
}

std::optional<Clusters> read_clusters(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const std::string& text = sources[file].text;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    problems.error("SP003", {file, 1, 1, 1}, "nothing in the file", "empty");
    return std::nullopt;
  }
  return looks_like_json(text) ? clusters_of_json(sources, file, problems) : TextReader(file, problems).read(text);
}

}  // namespace spillway::observed
