#include "sim/observed/repeated.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "models/documents/problem.hpp"

namespace spillway::observed {

Diagnostic second_output(std::string_view path, std::string_view what, Span where) {
  const std::string printed(path);
  return error("SP798", where, "two outputs of {} in one file", "`{}` again", {printed, what})
      .help("make a file of each moment: two outputs are two times the option, the earlier one first");
}

void warn_of_repeated_hosts(const Clusters& read, const std::vector<std::vector<Span>>& places, Diagnostics& problems) {
  std::optional<Diagnostic> first;
  std::size_t more = 0;
  for (std::size_t cluster = 0; cluster < read.clusters.size(); ++cluster) {
    std::set<std::tuple<std::string_view, config::Locality, std::uint32_t>> seen;
    for (std::size_t host = 0; host < read.clusters[cluster].hosts.size(); ++host) {
      const Host& reported = read.clusters[cluster].hosts[host];
      if (seen.emplace(reported.address, reported.locality, reported.priority.value).second) {
        continue;
      }
      if (first) {
        ++more;
        continue;
      }
      first = warning("SP798", places[cluster][host], "a host of `{}` stands twice",
                      "`{}` again; its counts are added up", {read.clusters[cluster].name, reported.address})
                  .help("if these are two outputs, make a file of each");
    }
  }
  if (first && more > 0) {
    first->note("{} more like it", {more});
  }
  if (first) {
    problems.push_back(std::move(*first));
  }
}

}  // namespace spillway::observed
