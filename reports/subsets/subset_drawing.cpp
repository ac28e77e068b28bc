// Draws the subsets of a cluster for Graphviz and Mermaid. Both have the same boxes. A key is a map of values; a value
// leads to a subset's hosts or to the map of the next key, as in the diagram of Envoy's document.
#include <fmt/format.h>
#include <string>

#include "reports/subsets/subset_structure.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {

namespace {

namespace subset = envoy::policies::subset;

enum class Shape { cluster, key, value, hosts, fallback };

struct Box {
  Shape shape = Shape::key;
  std::vector<std::string> lines;
};

struct Drawing {
  std::vector<Box> boxes;
  struct Arrow {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string label;
  };
  std::vector<Arrow> arrows;

  std::size_t add(Box box) {
    boxes.push_back(std::move(box));
    return boxes.size() - 1;
  }
  std::size_t add_below(std::size_t parent, Box box, std::string label = "") {
    const std::size_t added = add(std::move(box));
    arrows.push_back({parent, added, std::move(label)});
    return added;
  }
};

Box hosts_box(Shape shape, const SubsetStructure::HostNames& hosts, std::string first_line = "") {
  constexpr std::size_t shown = 12;
  Box box{shape, {}};
  if (!first_line.empty()) {
    box.lines.push_back(std::move(first_line));
  }
  for (std::size_t host = 0; host < std::min(hosts.size(), shown); ++host) {
    box.lines.push_back(hosts[host]);
  }
  if (hosts.size() > shown) {
    box.lines.push_back(fmt::format("and {} more", hosts.size() - shown));
  } else if (hosts.empty()) {
    box.lines.emplace_back("no hosts");
  }
  return box;
}

void draw_keys(Drawing& drawing, std::size_t parent, const SubsetStructure& structure,
               const std::vector<subset::KeyOutline>& keys) {
  for (const subset::KeyOutline& key : keys) {
    const std::size_t map = drawing.add_below(parent, {Shape::key, {key.name}});
    for (const subset::ValueOutline& value : key.values) {
      const std::size_t entry = drawing.add_below(map, {Shape::value, {config::text(value.value)}});
      if (value.subset) {
        const SubsetStructure::Subset& own = structure.subsets[value.subset->value];
        Box box = hosts_box(Shape::hosts, own.hosts);
        if (own.duplicates > 0) {
          box.lines.push_back(fmt::format("({} left out)", own.duplicates));
        }
        drawing.add_below(entry, std::move(box));
      }
      draw_keys(drawing, entry, structure, value.keys);
    }
  }
}

void draw_fallbacks(Drawing& drawing, std::size_t root, const SubsetStructure& structure) {
  using subset::FallbackPolicy;
  const FallbackPolicy policy = structure.config.fallback_policy;
  if (policy == FallbackPolicy::no_fallback) {
    drawing.add_below(root, {Shape::fallback, {"no host"}}, "otherwise");
  } else if (policy == FallbackPolicy::any_endpoint) {
    drawing.add_below(root, hosts_box(Shape::fallback, structure.all, "any endpoint"), "otherwise");
  }
  if (structure.default_subset) {
    const std::string label = policy == FallbackPolicy::default_subset ? "otherwise" : "if a selector says so";
    drawing.add_below(root, hosts_box(Shape::fallback, *structure.default_subset, "default subset"), label);
  }
}

Drawing draw(const std::vector<SubsetStructure>& structures) {
  Drawing drawing;
  for (const SubsetStructure& structure : structures) {
    const std::size_t root = drawing.add({Shape::cluster, {structure.cluster}});
    draw_keys(drawing, root, structure, structure.outline.keys);
    draw_fallbacks(drawing, root, structure);
  }
  return drawing;
}

std::string replaced(std::string text, char what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, 1, with);
  }
  return text;
}

// Escapes a text for Mermaid, which reads numbered entities between # and ;.
std::string mermaid_text(const std::string& line) {
  std::string text = replaced(printable(line), '#', "#35;");
  for (const auto& [letter, entity] : {std::pair{'"', "#34;"}, {'<', "#60;"}, {'>', "#62;"}, {'&', "#38;"}}) {
    text = replaced(std::move(text), letter, entity);
  }
  return text;
}

template <class Escape>
std::string label_of(const Box& box, Escape escape, std::string_view line_break) {
  std::string label;
  for (const std::string& line : box.lines) {
    label += (label.empty() ? "" : std::string(line_break)) + escape(line);
  }
  return label;
}

std::string_view dot_style(Shape shape) {
  return name_in({"shape=house", "shape=box, style=filled, fillcolor=\"#cfe2f3\"", "shape=ellipse",
                  "shape=box, style=\"filled,rounded\", fillcolor=\"#d9ead3\"", "shape=box, style=\"dashed,rounded\""},
                 shape);
}

// Return the brackets around a label.
std::string_view opening_of(Shape shape) {
  return name_in({"[\"", "[\"", "([\"", "(\"", "(\""}, shape);
}
std::string_view closing_of(Shape shape) {
  return name_in({"\"]", "\"]", "\"])", "\")", "\")"}, shape);
}

}  // namespace

std::string subsets_as_dot(const std::vector<SubsetStructure>& structures) {
  const Drawing drawing = draw(structures);
  std::string text = "digraph subsets {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n";
  for (std::size_t box = 0; box < drawing.boxes.size(); ++box) {
    text += fmt::format("  n{} [label=\"{}\", {}];\n", box, label_of(drawing.boxes[box], dot_text, "\\n"),
                        dot_style(drawing.boxes[box].shape));
  }
  for (const Drawing::Arrow& arrow : drawing.arrows) {
    text += fmt::format("  n{} -> n{}{};\n", arrow.from, arrow.to,
                        arrow.label.empty() ? "" : fmt::format(" [style=dashed, label=\"{}\"]", arrow.label));
  }
  return text + "}\n";
}

std::string subsets_as_mermaid(const std::vector<SubsetStructure>& structures) {
  const Drawing drawing = draw(structures);
  std::string text = "flowchart LR\n";
  for (std::size_t box = 0; box < drawing.boxes.size(); ++box) {
    const Box& of = drawing.boxes[box];
    text += fmt::format("  n{}{}{}{}\n", box, opening_of(of.shape), label_of(of, mermaid_text, "<br>"),
                        closing_of(of.shape));
  }
  for (const Drawing::Arrow& arrow : drawing.arrows) {
    text += arrow.label.empty() ? fmt::format("  n{} --> n{}\n", arrow.from, arrow.to)
                                : fmt::format("  n{} -. {} .-> n{}\n", arrow.from, arrow.label, arrow.to);
  }
  return text;
}

}  // namespace spillway::reports
