// A scenario file that is read once and means something slightly different each time: other numbers of endpoints, and
// changes that are not written in it.
//
//   ScenarioTemplate base("three-zones.yaml");
//   std::vector<EndpointGroup> groups = base.groups();
//   Variation variation;
//   variation.counts = {{groups[0].place, 13}};
//   std::optional<Scenario> bigger = base.vary(variation);   // as if the file said `count: 13`
//
// What follows from the file follows from the variation too: views of Kuma's clients, weights of zone proxies.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/variation.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::scenario {

namespace istio_binding {
class ViewCache;
}

class ScenarioTemplate {
 public:
  // Expectations are left out, which may not fit a variation.
  explicit ScenarioTemplate(const std::string& path);
  // Of a text, which `name` stands for.
  ScenarioTemplate(std::string name, std::string text);
  // Of a tree that has been put together of several files; the first of these is the scenario's own.
  // `views`: keeps views of Istio's documents for variations and for other templates, from one thread; null: one of its
  // own.
  ScenarioTemplate(documents::Node root, Sources sources, std::shared_ptr<istio_binding::ViewCache> views = nullptr);
  // The same with these DestinationRules in the place of those of their names, in a fraction of the time. Nothing: more
  // than a few rules changes with them, or something is wrong with them, so that it must be read as a whole. `sources`:
  // with the files of the rules. `root`: makes the tree of the whole, once it is asked for.
  [[nodiscard]] std::optional<ScenarioTemplate> with_rules(const std::vector<documents::Node>& rules, Sources sources,
                                                           std::function<documents::Node()> root) const;
  ~ScenarioTemplate();
  ScenarioTemplate(ScenarioTemplate&&) noexcept;
  ScenarioTemplate& operator=(ScenarioTemplate&&) noexcept;

  // As it stands in the file, with expectations.
  [[nodiscard]] const Reading& reading() const noexcept { return reading_; }

  // In the order of the file. Endpoints with an `id` or of Kuma's resources are in none.
  [[nodiscard]] std::vector<EndpointGroup> groups() const;

  // Nothing if the file does not allow it: an event names an endpoint that is not there any more. The file must have
  // been read without an error. Takes as long as reading does, but for the text itself.
  [[nodiscard]] std::optional<Scenario> vary(const Variation& variation) const;

 private:
  struct Kept;
  ScenarioTemplate(Reading reading, std::function<documents::Node()> root,
                   std::shared_ptr<istio_binding::ViewCache> views);
  void keep_structure();
  [[nodiscard]] static std::unique_ptr<const Kept> structure_of(documents::Node root);
  [[nodiscard]] const Kept& kept() const;

  Reading reading_;
  mutable std::unique_ptr<const Kept> kept_;
  std::function<documents::Node()> root_;  // where kept_ has still to be made
  std::shared_ptr<istio_binding::ViewCache> views_;
};

}  // namespace spillway::scenario
