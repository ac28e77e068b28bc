#include "sim/observed/server.hpp"

#include <string_view>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/observed/json_values.hpp"

namespace spillway::observed {
namespace {
// Returns the version in "9e5580933739775e8bce696a57a2e1bc99368f23/1.40.0/Clean/RELEASE/BoringSSL".
std::string version_of(const std::string& text) {
  const std::size_t begin = text.find('/');
  if (begin == std::string::npos) {
    return "";
  }
  return text.substr(begin + 1, text.find('/', begin + 1) - begin - 1);
}

}  // namespace

std::optional<ServerInfo> read_server_info(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const auto root = documents::parse(sources, file, problems);
  if (!root) {
    return std::nullopt;
  }
  const Node* const version = member(*root, "version");
  if (version == nullptr || member(*root, "state") == nullptr) {
    problems.error("SP790", root->span, "not the JSON of /server_info", "has no version and state")
        .help("expected the output of the admin interface's /server_info");
    return std::nullopt;
  }
  ServerInfo info{version_of(text_of(version))};
  if (const Node* const options = member(*root, "command_line_options")) {
    info.concurrency = static_cast<std::uint32_t>(count_of(member(*options, "concurrency")).value_or(0));
  }
  if (const Node* const node = member(*root, "node")) {
    info.node_id = text_of(member(*node, "id"));
    info.node_cluster = text_of(member(*node, "cluster"));
    if (const Node* const locality = member(*node, "locality")) {
      info.locality = {text_of(member(*locality, "region")), text_of(member(*locality, "zone")),
                       text_of(member(*locality, "sub_zone"))};
    }
  }
  const std::string uptime = text_of(member(*root, "uptime_current_epoch"));  // "5s"
  if (uptime.ends_with('s')) {
    info.uptime = std::chrono::seconds(whole_number(std::string_view(uptime).substr(0, uptime.size() - 1)).value_or(0));
  }
  return info;
}

std::optional<RuntimeValues> read_runtime_values(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const auto root = documents::parse(sources, file, problems);
  if (!root) {
    return std::nullopt;
  }
  const Node* const entries = member(*root, "entries");
  if (entries == nullptr || member(*root, "layers") == nullptr) {
    problems.error("SP790", root->span, "not the JSON of /runtime", "has no entries and layers")
        .help("expected the output of the admin interface's /runtime");
    return std::nullopt;
  }
  RuntimeValues values;
  for (const auto& entry : entries->members) {
    const std::string value = text_of(member(entry.value, "final_value"));
    if (!value.empty()) {
      values.emplace(entry.key, value);
    }
  }
  return values;
}

}  // namespace spillway::observed
