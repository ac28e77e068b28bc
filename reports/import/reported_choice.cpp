#include "reports/import/reported_choice.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::reports {

void require_choice(ReportedDocuments& reported, const Sources& sources) {
  Sources made = {{"reported.json", reported.text}};
  const auto root = documents::parse(made, 0, reported.problems);
  const documents::Node* const clusters =
      root ? scenario::pasted::value_below(*root, {"static_resources", "clusters"}) : nullptr;
  if (clusters == nullptr || clusters->items.size() < 2) {
    return;
  }
  std::vector<std::string> names;
  for (const documents::Node& cluster : clusters->items) {
    names.push_back(in_ticks(scenario::pasted::text_below(cluster, {"name"})));
  }
  constexpr std::size_t most = 8;
  const std::size_t shown = std::min(names.size(), most);
  const std::string listed =
      fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                  shown < names.size() ? ", ..." : "");
  const std::string first = scenario::pasted::text_below(clusters->items.front(), {"name"});
  const std::string& text = sources.front().text;
  const std::size_t at = text.find(first) == std::string::npos ? 0 : text.find(first);
  const std::size_t begin = at == 0 || text.rfind('\n', at - 1) == std::string::npos ? 0 : text.rfind('\n', at - 1) + 1;
  const Span where{
      0, static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
      static_cast<std::uint32_t>(at - begin + 1), static_cast<std::uint32_t>(std::max<std::size_t>(1, first.size()))};
  reported.problems.push_back(
      error("SP135", where, "several clusters, none is chosen", "one of {}", {std::to_string(names.size())})
          .help("write --cluster with one of {}", {listed}));
  reported.text.clear();
}

}  // namespace spillway::reports
