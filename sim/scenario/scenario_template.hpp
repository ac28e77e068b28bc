// A scenario file that is read once and then varied: different numbers of endpoints, and additional changes.
//
//   ScenarioTemplate base("three-zones.yaml");
//   std::vector<EndpointGroup> groups = base.groups();
//   Variation variation;
//   variation.counts = {{groups[0].place, 13}};
//   std::optional<Scenario> bigger = base.vary(variation);   // as if the file said `count: 13`
//
// Everything derived from the file is derived from the variation too: views of Kuma's clients, weights of zone proxies.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/forward.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/variation.hpp"

namespace spillway::scenario {

namespace istio_binding {
class ViewCache;
}

class ScenarioTemplate {
 public:
  // Reads a file. Omits expectations, because they may not fit a variation.
  explicit ScenarioTemplate(const std::string& path);
  // Reads a text; `name` serves as its file name.
  ScenarioTemplate(std::string name, std::string text);
  // Takes a tree assembled from several files, of which the first is the scenario's own. `views` keeps views of Istio's
  // documents for variations and for other templates of one thread; if null, this template has its own.
  ScenarioTemplate(documents::Node root, Sources sources, std::shared_ptr<istio_binding::ViewCache> views = nullptr);
  // Returns the same template with each of these DestinationRules in place of the one of its name, in a fraction of the
  // time. nullopt if more than a few rules change or the rules have errors, so that it must be read as a whole.
  // `sources` include the files of the rules. `root` builds the tree of the whole on demand.
  [[nodiscard]] std::optional<ScenarioTemplate> with_rules(const std::vector<documents::Node>& rules, Sources sources,
                                                           std::function<documents::Node()> root) const;
  ~ScenarioTemplate();
  ScenarioTemplate(ScenarioTemplate&&) noexcept;
  ScenarioTemplate& operator=(ScenarioTemplate&&) noexcept;

  // Returns the scenario as in the file, with expectations.
  [[nodiscard]] const Reading& reading() const noexcept { return reading_; }

  // Returns the groups in file order, then those of pods and of Kuma's Dataplanes in the order of the documents.
  // Endpoints with an `id` are in no group.
  [[nodiscard]] std::vector<EndpointGroup> groups() const;

  // Returns a variation; nullopt if the file does not allow it, because an event names an endpoint that no longer
  // exists. Takes as long as reading, except for parsing the text. Precondition: the file was read without an error.
  [[nodiscard]] std::optional<Scenario> vary(const Variation& variation) const;

  // Some services and client entries of a scenario, ascending.
  struct Part {
    std::vector<config::ServiceIndex> services = {};
    std::vector<config::ClientEntryIndex> clients = {};
  };
  // Returns the same template with only these clients, and only these of the services that the file itself defines;
  // documents keep all of theirs. nullopt if something in the file may refer to what is left out. O(part), after the
  // first call. Precondition: the file was read without an error. Lifetime: this template must outlive the part.
  [[nodiscard]] std::optional<ScenarioTemplate> part(const Part& part) const;
  // True if part() leaves out services, so that those of the part are numbered anew.
  [[nodiscard]] bool numbers_parts_anew() const;

 private:
  struct Kept;
  ScenarioTemplate(Reading reading, std::function<documents::Node()> root,
                   std::shared_ptr<istio_binding::ViewCache> views);
  void keep_structure();
  [[nodiscard]] static std::unique_ptr<const Kept> structure_of(documents::Node root);
  [[nodiscard]] const Kept& kept() const;

  Reading reading_;
  mutable std::unique_ptr<const Kept> kept_;
  std::function<documents::Node()> root_;  // used if kept_ is not yet built
  std::shared_ptr<istio_binding::ViewCache> views_;
};

}  // namespace spillway::scenario
