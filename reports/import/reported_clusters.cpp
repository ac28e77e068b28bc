#include "reports/import/reported_clusters.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "models/documents/json_writer.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/proxy/foreign.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "reports/import/reported_policy.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/lines.hpp"
#include "sim/observed/read_clusters.hpp"

namespace spillway::reports {
namespace {

using documents::JsonText;
using observed::Cluster;
using observed::Clusters;

enum class Report { other, clusters, statuses, endpoints_table, other_table, access_log };

// Returns the begin of the first line: a dump may be one long line.
std::string_view first_line(std::string_view text) {
  constexpr std::size_t longest_head = 400;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.substr(0, std::min(text.find_first_of("\r\n"), longest_head));
}

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(std::move(word));
  }
  return words;
}

// Source: istioctl/pkg/writer/envoy/configdump and clusters: the heads of its tables.
Report report_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::string_view line = first_line(text);
  const std::vector<std::string> words = words_of(line);
  if (observed::without_pod(line).starts_with("[20")) {
    return Report::access_log;
  }
  // Without its head, as `grep` prints it.
  const bool is_row =
      words.size() == 4 && (words[2] == "OK" || words[2] == "FAILED") && words[0].find(':') != std::string::npos;
  if (is_row || (words.size() >= 2 && words[0] == "ENDPOINT" && words[1] == "STATUS")) {
    return Report::endpoints_table;
  }
  const bool clusters = line.starts_with("SERVICE FQDN");
  const bool routes = words.size() >= 2 && words[0] == "NAME" && (words[1] == "VHOST" || words[1] == "DOMAINS");
  const bool listeners = words.size() >= 2 && words[0].starts_with("ADDRESS") && words[1] == "PORT";
  if (clusters || routes || listeners) {
    return Report::other_table;
  }
  constexpr std::size_t beginning = 2000;
  const std::string_view begin = text.substr(0, beginning);
  if (line.starts_with('[') && (begin.find("\"hostStatuses\"") != std::string_view::npos ||
                                begin.find("\"host_statuses\"") != std::string_view::npos)) {
    return Report::statuses;
  }
  return observed::looks_like_clusters(text) ? Report::clusters : Report::other;
}

// A row: `10.0.0.1:9080  HEALTHY  OK  outbound|9080||details.default.svc.cluster.local`.
class Table {
 public:
  Table(std::uint32_t file, Diagnostics& problems) : file_(file), problems_(problems) {}

  Clusters read(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
      const std::vector<std::string> words = words_of(line);
      const bool is_head = !words.empty() && words.front() == "ENDPOINT";
      if (!words.empty() && !is_head && !observed::is_of_a_terminal(line)) {
        add(words, {file_, number, 1, static_cast<std::uint32_t>(line.size())});
      }
    }
    return std::move(read_);
  }

 private:
  void add(const std::vector<std::string>& words, Span where) {
    constexpr std::size_t columns = 4;
    if (words.size() != columns) {
      problems_.error("SP697", where, "not a row of `istioctl proxy-config endpoints`",
                      "{} columns, not an endpoint, its status, the outlier check and the cluster",
                      {std::to_string(words.size())});
      return;
    }
    observed::Host host{.address = words[0]};
    if (!observed::set_eds_health(host.flags, words[1])) {
      problems_.push_back(observed::unknown_flag(words[1], where));
    }
    if (words[2] != "OK") {
      host.flags.set(envoy::HostFlag::failed_outlier_check);
    }
    const auto found = std::find_if(read_.clusters.begin(), read_.clusters.end(),
                                    [&](const Cluster& cluster) { return cluster.name == words[3]; });
    Cluster& cluster = found == read_.clusters.end() ? read_.clusters.emplace_back(Cluster{.name = words[3]}) : *found;
    cluster.hosts.push_back(std::move(host));
  }

  std::uint32_t file_;
  Diagnostics& problems_;
  Clusters read_;
};

JsonText address_json(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || address.find('/') != std::string::npos) {
    const std::size_t path = address.starts_with("unix://") ? std::string_view("unix://").size() : 0;
    return {{"pipe", {{"path", address.substr(path)}}}};
  }
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  const std::string port = address.substr(colon + 1);
  const bool is_number = !port.empty() && port.size() < 6 && port.find_first_not_of("0123456789") == std::string::npos;
  return {{"socket_address", {{"address", host}, {"port_value", is_number ? std::stoi(port) : 0}}}};
}

JsonText group_json(const config::LocalityLbEndpoints& group) {
  JsonText endpoints = JsonText::array();
  for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
    JsonText own = {{"address", address_json(endpoint.address)}};
    if (!endpoint.hostname.empty()) {
      own.add("hostname", endpoint.hostname);
    }
    endpoints.push_back(
        {{"endpoint", own},
         {"health_status", messages::health_statuses.at(static_cast<std::size_t>(endpoint.health_status))},
         {"load_balancing_weight", std::max(1U, endpoint.load_balancing_weight)}});
  }
  return {{"locality",
           {{"region", group.locality.region}, {"zone", group.locality.zone}, {"sub_zone", group.locality.sub_zone}}},
          {"priority", group.priority.value},
          {"lb_endpoints", endpoints}};
}

JsonText cluster_json(const config::ClusterLoadAssignment& assignment) {
  JsonText groups = JsonText::array();
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    groups.push_back(group_json(group));
  }
  return cluster_of_assignment(assignment.cluster_name,
                               {{"cluster_name", assignment.cluster_name}, {"endpoints", groups}});
}

// Writes keys in snake_case, as the admin page prints them: istioctl prints `hostStatuses`. Lines stay.
std::string with_keys_of_admin(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  std::size_t at = 0;
  while (at < json.size()) {
    const std::size_t begin = std::min(json.find('"', at), json.size());
    text += json.substr(at, begin - at);
    std::size_t end = begin + 1;
    while (end < json.size() && json[end] != '"') {
      end += json[end] == '\\' ? 2 : 1;
    }
    end = std::min(end + 1, json.size());
    const std::size_t next = json.find_first_not_of(" \t\r\n", end);
    const bool is_key = next != std::string_view::npos && json[next] == ':';
    const std::string_view string = json.substr(begin, end - begin);
    text += is_key ? proxy::in_snake_case(string) : std::string(string);
    at = end;
  }
  return text;
}

// Reads one file. Adds a problem if it has no endpoints.
void add_file(Sources& sources, std::uint32_t file, Clusters& all, Diagnostics& problems) {
  const Report report = report_in(sources[file].text);
  if (report == Report::other_table) {
    problems.push_back(error("SP697", {file, 1, 1, 1}, "a table of istioctl without endpoints", "names no endpoint")
                           .help("give `istioctl proxy-config endpoints POD`, or `istioctl proxy-config all POD -o "
                                 "json`, which has policies and routes as well"));
    return;
  }
  if (report == Report::access_log) {
    problems.push_back(proxy::foreign_document({"an access log",
                                                "give it as --access-log to `spillway compare` or "
                                                "`spillway import`, with the proxy's config_dump"},
                                               {file, 1, 1, 1}));
    return;
  }
  if (report == Report::endpoints_table) {
    Clusters own = Table(file, problems).read(sources[file].text);
    std::move(own.clusters.begin(), own.clusters.end(), std::back_inserter(all.clusters));
    return;
  }
  const std::string text = sources[file].text;
  if (report == Report::statuses) {
    // As in /clusters, on the same lines.
    sources[file].text = "{\"cluster_statuses\": " + with_keys_of_admin(text) + "}";
  }
  if (auto own = observed::read_clusters(sources, file, problems)) {
    std::move(own->clusters.begin(), own->clusters.end(), std::back_inserter(all.clusters));
  }
  sources[file].text = text;
}

void say_what_is_assumed(const Clusters& clusters, ReportedDocuments& made, bool of_table) {
  std::vector<std::string> names;
  std::set<std::string> ejected;
  for (const Cluster& cluster : clusters.clusters) {
    names.push_back(cluster.name);
    for (const observed::Host& host : cluster.hosts) {
      if (envoy::coarse_health(host.flags) == envoy::Health::unhealthy) {
        ejected.insert(host.address);
      }
    }
  }
  made.assumed = policies_in_words(names, "no policy is reported");
  made.assumed.emplace_back(of_table ? "weight 1, priority 0 and one locality of all endpoints: the table has none"
                                     : "no weights of localities and a factor of 140: they are not reported (a "
                                       "config_dump has them)");
  if (!ejected.empty()) {
    made.assumed.push_back(
        fmt::format("{} unhealthy host{} as reported", ejected.size(), ejected.size() == 1 ? "" : "s"));
  }
}

}  // namespace

std::optional<ReportedDocuments> documents_of_report(Sources& sources, const std::string& chosen) {
  const bool all = std::all_of(sources.begin(), sources.end(),
                               [](const SourceFile& source) { return report_in(source.text) != Report::other; });
  if (sources.empty() || !all) {
    return std::nullopt;
  }
  ReportedDocuments made;
  Clusters clusters;
  bool of_table = false;
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    add_file(sources, file, clusters, made.problems);
    of_table = of_table || report_in(sources[file].text) == Report::endpoints_table;
  }
  std::erase_if(clusters.clusters, [](const Cluster& cluster) { return cluster.hosts.empty(); });
  if (has_errors(made.problems)) {
    return made;
  }
  const auto is_chosen = [&](const Cluster& cluster) { return cluster.name == chosen; };
  if (std::any_of(clusters.clusters.begin(), clusters.clusters.end(), is_chosen)) {
    std::erase_if(clusters.clusters, [&](const Cluster& cluster) { return !is_chosen(cluster); });
  }
  if (clusters.clusters.empty()) {
    made.problems.error("SP697", {0, 1, 1, 1}, "a report without endpoints", "no cluster in here has a host");
    return made;
  }
  JsonText list = JsonText::array();
  for (const config::ClusterLoadAssignment& assignment :
       observed::memberships(clusters, observed::HealthOf::everything)) {
    list.push_back(cluster_json(assignment));
  }
  made.text = documents::indented({{"static_resources", {{"clusters", list}}}}, 1) + "\n";
  say_what_is_assumed(clusters, made, of_table);
  return made;
}

}  // namespace spillway::reports
