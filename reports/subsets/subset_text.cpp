// Draws the subsets of a cluster as a tree on a terminal.
#include <fmt/format.h>

#include "reports/subsets/subset_structure.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {

namespace {

namespace subset = envoy::policies::subset;

std::string hosts_text(const SubsetStructure::HostNames& hosts) {
  constexpr std::size_t shown = 12;  // readable in one line; `-o json` has all
  const bool all = hosts.size() <= shown + 1;
  const std::size_t printed = all ? hosts.size() : shown;
  std::vector<std::string> names;
  names.reserve(printed);
  for (std::size_t host = 0; host < printed; ++host) {
    names.push_back(printable(hosts[host]));
  }
  const std::string text = joined(names, ", ");
  return all ? text : fmt::format("{} and {} more", text, hosts.size() - shown);
}

std::string subset_text(const SubsetStructure::Subset& own) {
  std::string text = hosts_text(own.hosts);
  if (own.single_host) {
    text += own.duplicates == 0 ? " (single host)"
                                : fmt::format(" (single host; {} with the same values left out)", own.duplicates);
  }
  return text;
}

std::string fallback_text(const subset::SelectorOutline& selector) {
  if (selector.fallback_policy == subset::SelectorFallbackPolicy::not_defined) {
    return "the cluster's";
  }
  std::string text(name_of(selector.fallback_policy));
  if (!selector.fallback_keys_subset.empty()) {
    text += " " + printable(joined(selector.fallback_keys_subset, ", "));
  }
  return text + (selector.fallback_is_lost ? ", taken by an earlier selector" : "");
}

class Tree {
 public:
  explicit Tree(const SubsetStructure& structure) : structure_(structure) {}

  std::vector<std::string> lines() {
    add_keys(structure_.outline.keys, " ", true);
    std::size_t widest = 0;
    for (const Line& line : lines_) {
      widest = std::max(widest, line.hosts.empty() ? 0 : static_cast<std::size_t>(display_width(line.branch)));
    }
    std::vector<std::string> lines;
    for (const Line& line : lines_) {
      lines.push_back(line.hosts.empty()
                          ? line.branch
                          : padded(line.branch, static_cast<int>(widest), Align::left) + "   " + line.hosts);
    }
    return lines;
  }

 private:
  struct Line {
    std::string branch;
    std::string hosts;
  };

  void add_keys(const std::vector<subset::KeyOutline>& keys, const std::string& indent, bool roots) {
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const bool last = key + 1 == keys.size();
      lines_.push_back({indent + (roots ? "" : last ? "└─ " : "├─ ") + printable(keys[key].name), ""});
      add_values(keys[key].values, indent + (roots ? "" : last ? "   " : "│  "));
    }
  }

  void add_values(const std::vector<subset::ValueOutline>& values, const std::string& indent) {
    for (std::size_t value = 0; value < values.size(); ++value) {
      const subset::ValueOutline& own = values[value];
      const bool last = value + 1 == values.size();
      lines_.push_back({indent + (last ? "└─ " : "├─ ") + "= " + printable(config::text(own.value)),
                        own.subset ? subset_text(structure_.subsets[own.subset->value]) : ""});
      add_keys(own.keys, indent + (last ? "     " : "│    "), false);
    }
  }

  const SubsetStructure& structure_;
  std::vector<Line> lines_;
};

std::string pairs_text(const config::Struct& pairs) {
  std::vector<std::string> parts;
  for (const config::Field& field : pairs.fields()) {
    parts.push_back(printable(field.name + "=" + config::text(field.value)));
  }
  return parts.empty() ? "every host" : joined(parts, ", ");
}

std::vector<std::string> fallback_lines(const SubsetStructure& structure) {
  const subset::Config& config = structure.config;
  std::vector<std::string> lines{fmt::format("fallback         {}", name_of(config.fallback_policy))};
  if (structure.default_subset) {
    lines.push_back(
        fmt::format("default subset   {}: {}", pairs_text(config.default_subset),
                    structure.default_subset->empty() ? "no hosts" : hosts_text(*structure.default_subset)));
  }
  if (config.panic_mode_any) {
    lines.emplace_back("panic            any endpoint, if the fallback finds none");
  }
  return lines;
}

}  // namespace

void add_subsets(Page& page, const SubsetStructure& structure) {
  page.paragraph(
      {fmt::format("{}: {} subsets of {} hosts", structure.cluster, structure.subsets.size(), structure.all.size())});
  Sheet selectors{.fields = {{"selector"}, {"fallback"}, {"single host"}, {"subsets", true}}};
  for (const subset::SelectorOutline& selector : structure.outline.selectors) {
    selectors.rows.push_back({joined(selector.keys, ", "), fallback_text(selector),
                              selector.single_host_per_subset ? "yes" : "no", std::to_string(selector.subsets)});
  }
  page.sheet(selectors);
  page.paragraph(Tree(structure).lines());
  page.paragraph(fallback_lines(structure), 1);
}

}  // namespace spillway::reports
