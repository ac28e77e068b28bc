#include "reports/explain/sections.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/envoy/share_trace.hpp"
#include "models/envoy/subset_state.hpp"
#include "reports/explain/istio_steps.hpp"
#include "reports/explain/pick_steps.hpp"
#include "reports/explain/placement_steps.hpp"
#include "reports/explain/priority_steps.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {

namespace {

namespace subset = envoy::policies::subset;
using envoy::ClusterState;
using envoy::ShareStep;

std::string criteria_text(const config::Struct& criteria) {
  std::string text;
  for (const config::Field& field : criteria.fields()) {
    text += (text.empty() ? "" : ", ") + field.name + "=" + config::text(field.value);
  }
  return text.empty() ? "nothing" : printable(text);
}

std::string path_text(const std::vector<config::Field>& path) {
  std::string text;
  for (const config::Field& field : path) {
    text += (text.empty() ? "" : ", ") + field.name + "=" + config::text(field.value);
  }
  return printable(text);
}

// The use of one balancer by the requests, with its own steps.
struct Use {
  const ClusterState* state = nullptr;
  std::uint32_t child = 0;  // of an aggregate cluster
  std::uint32_t depth = 0;  // number of enclosing balancers
  const ClusterState* outer = nullptr;
  bool forced = false;  // an aggregate cluster chose the priority
  double requests = 0.0;
  std::vector<TracedStep> own = {};
  std::optional<std::uint64_t> hash = {};
  std::uint64_t hashes = 0;
};

class Uses {
 public:
  explicit Uses(const FlowToExplain& of) {
    for (const run::TracedPart& part : of.traced) {
      add(part);
    }
  }

  [[nodiscard]] const std::vector<Use>& all() const noexcept { return uses_; }

 private:
  struct Open {
    std::size_t use = 0;
    std::uint32_t depth = 0;  // of its step
  };

  void add(const run::TracedPart& part) {
    std::vector<Open> open;
    std::uint32_t child = 0;
    bool forced = false;
    for (const ShareStep& step : part.trace.steps()) {
      while (!open.empty() && open.back().depth >= step.depth) {
        open.pop_back();
      }
      if (step.kind == ShareStep::Kind::level) {
        child = step.state->levels[step.choice.priority.value].child;
        forced = true;
        open = {{find(*step.state, 0, nullptr, 0), step.depth}};
        uses_[open.back().use].own.push_back({&step, part.part});
        uses_[open.back().use].requests += step.probability * part.part;
        continue;
      }
      if (step.kind == ShareStep::Kind::balancer) {
        const ClusterState* const outer = open.empty() ? nullptr : uses_[open.back().use].state;
        const std::size_t use = find(*step.state, child, outer, static_cast<std::uint32_t>(open.size()));
        uses_[use].requests += step.probability * part.part;
        uses_[use].forced = forced;
        open.push_back({use, step.depth});
        continue;
      }
      Use& use = uses_[open.back().use];
      use.own.push_back({&step, part.part});
      if (step.hash) {
        use.hash = step.hash;
        ++use.hashes;
      }
    }
  }

  std::size_t find(const ClusterState& state, std::uint32_t child, const ClusterState* outer, std::uint32_t depth) {
    const auto found = std::find_if(uses_.begin(), uses_.end(),
                                    [&](const Use& use) { return use.state == &state && use.child == child; });
    if (found != uses_.end()) {
      return static_cast<std::size_t>(found - uses_.begin());
    }
    uses_.push_back({.state = &state, .child = child, .depth = depth, .outer = outer});
    return uses_.size() - 1;
  }

  std::vector<Use> uses_;
};

// Writes the section of one balancer.
class SectionWriter {
 public:
  SectionWriter(const FlowToExplain& of, const Use& use)
      : of_(of), use_(use), scenario_(of.snapshot.scenario()), state_(*use.state) {
    const config::ServiceIndex service = of.snapshot.flows().at(of.flow).service;
    members_ = scenario::members_of(scenario_, service);
    service_ = state_.aggregate ? service : members_[use.child];
    const scenario::ClientEntry& client = scenario_.clients[of.snapshot.flows().at(of.flow).client.value];
    trail_ = trail_of(client, service);
    names_ = {[this](config::Priority priority) { return priority_name(priority); },
              [this](config::HostIndex host) { return host_name(host); }};
  }

  Section write() {
    Section section{.title = title(), .depth = of_.depth + use_.depth, .requests = of_.requests * use_.requests};
    if (use_.outer == nullptr || use_.outer->aggregate) {
      add_placement(section);
    }
    if (state_.aggregate) {
      section.steps.push_back(levels_step());
      add_loads(section);
    } else if (state_.subsets != nullptr) {
      section.steps.push_back(subset_step());
      add_named(section);
    } else if (state_.fallback != nullptr) {
      add_named(section);
    } else {
      add_balancing(section);
    }
    return section;
  }

 private:
  [[nodiscard]] std::string priority_name(config::Priority priority) const {
    if (!state_.aggregate) {
      return priority_text(priority);
    }
    const envoy::AggregateLevel& level = state_.levels[priority.value];
    return printable(scenario_.services[members_[level.child].value].name) + " " + priority_text(level.priority);
  }

  [[nodiscard]] std::string host_name(config::HostIndex host) const {
    return printable(scenario::endpoint_at(scenario_, service_, host).id);
  }

  [[nodiscard]] std::uint64_t threshold() const { return state_.panic_threshold; }

  // Returns the name that the outer balancer has for this one.
  [[nodiscard]] std::string title() const {
    if (use_.outer == nullptr) {
      return of_.title;
    }
    if (use_.outer->aggregate) {
      return "cluster " + printable(scenario_.services[service_.value].name);
    }
    if (use_.outer->subsets != nullptr) {
      return subset_title(*use_.outer->subsets);
    }
    return "fallback policy " + policy_name(state_.lb_policy);
  }

  [[nodiscard]] std::string subset_title(const envoy::SubsetState& parts) const {
    for (std::size_t index = 0; index < parts.subsets.size(); ++index) {
      if (parts.subsets[index].state.get() == &state_) {
        return "subset " + path_text(parts.directory.subsets()[index].path);
      }
    }
    return parts.any && parts.any->state.get() == &state_ ? "any endpoint" : "default subset";
  }

  void add_placement(Section& section) const {
    const scenario::ClientEntry& client = scenario_.clients[of_.snapshot.flows().at(of_.flow).client.value];
    const ViewOfClient view{scenario_, of_.sources, client, service_, trail_};
    if (const auto& made = scenario_.services[service_.value].as_view; made && made->istio_trail != nullptr) {
      section.steps.push_back(istio_policy_step(view));
      section.steps.push_back(istio_placement_step(view, of_.snapshot.upstreams().reported(of_.flow, service_)));
      section.steps.push_back(factor_step(view));
      return;
    }
    if (use_.outer == nullptr) {
      if (auto step = policy_step(view)) {
        section.steps.push_back(*std::move(step));
      }
    }
    if (!state_.aggregate) {
      section.steps.push_back(placement_step(view, of_.snapshot.upstreams().reported(of_.flow, service_)));
      section.steps.push_back(factor_step(view));
    }
  }

  [[nodiscard]] Step levels_step() const {
    Step step{.name = "levels", .sources = {source::envoy("11"), "Envoy clusters/aggregate/cluster.cc"}};
    for (std::uint32_t level = 0; level < state_.levels.size(); ++level) {
      step.facts.push_back(words(fmt::format("level {}", level), priority_name({level})));
    }
    return step;
  }

  void add_loads(Section& section) const {
    section.steps.push_back(health_step(state_, names_));
    section.steps.push_back(availability_step(state_, names_));
    section.steps.push_back(load_step(state_, names_, threshold()));
    section.steps.push_back(panic_step(state_, names_, threshold()));
  }

  void add_balancing(Section& section) const {
    section.steps.push_back(health_step(state_, names_));
    section.steps.push_back(availability_step(state_, names_));
    if (use_.forced && state_.hash_tables.empty()) {
      section.steps.push_back({.name = "load",
                               .facts = {words("", "the aggregate cluster has chosen the priority")},
                               .sources = {source::envoy("11")}});
    } else {
      section.steps.push_back(load_step(state_, names_, threshold()));
    }
    section.steps.push_back(panic_step(state_, names_, threshold()));
    if (auto step = locality_step(state_, names_, use_.own)) {
      section.steps.push_back(*std::move(step));
    }
    if (auto step = zone_step(state_, use_.own)) {
      section.steps.push_back(*std::move(step));
    }
    if (use_.hashes == 1) {
      section.steps.push_back(hash_step(state_, names_, *use_.hash));
    }
    section.steps.push_back(pick_step(state_, names_, use_.own));
  }

  void add_named(Section& section) const {
    Step step = pick_step(state_, names_, use_.own);
    if (!step.facts.empty()) {
      step.name = "named";
      section.steps.push_back(std::move(step));
    }
  }

  [[nodiscard]] Fact resolution_fact(const config::Struct* criteria) const {
    using Kind = subset::Resolution::Kind;
    const auto& config = std::get<subset::Config>(state_.lb_policy);
    const envoy::SubsetState& parts = *state_.subsets;
    const std::string asked = criteria == nullptr ? "nothing" : criteria_text(*criteria);
    const auto found = subset::resolve(config, parts.selectors, parts.directory, {criteria});
    switch (found.kind) {
      case Kind::subset: {
        const auto& own = parts.directory.subsets()[found.index.value];
        return words("asks for " + asked,
                     fmt::format("subset {}, {}", path_text(own.path), counted(own.hosts.size(), "host")));
      }
      case Kind::any:
        return words("asks for " + asked, "no such subset; its selector falls back to any endpoint");
      case Kind::default_subset:
        return words("asks for " + asked, "no such subset; its selector falls back to the default subset");
      case Kind::none:
        return words("asks for " + asked, "no such subset, and its selector wants no fallback: no host");
      case Kind::cluster_fallback:
        break;
    }
    const char* const fallback = config.fallback_policy == subset::FallbackPolicy::no_fallback ? "NO_FALLBACK: no host"
                                 : config.fallback_policy == subset::FallbackPolicy::any_endpoint ? "ANY_ENDPOINT"
                                                                                                  : "DEFAULT_SUBSET";
    return words("asks for " + asked, fmt::format("no such subset; the cluster's fallback is {}", fallback));
  }

  // Returns the criteria in the order in which they are tried, each once.
  [[nodiscard]] Step subset_step() const {
    Step step{.name = "subset", .sources = {source::host_pick("12"), "Envoy subset_lb.cc"}};
    for (const TracedStep& traced : use_.own) {
      if (traced.step->kind != ShareStep::Kind::criteria) {
        continue;
      }
      Fact fact = resolution_fact(traced.step->criteria);
      const bool known = std::any_of(step.facts.begin(), step.facts.end(),
                                     [&](const Fact& other) { return other.subject == fact.subject; });
      if (!known) {
        step.facts.push_back(std::move(fact));
      }
    }
    return step;
  }

  const FlowToExplain& of_;
  const Use& use_;
  const scenario::Scenario& scenario_;
  const ClusterState& state_;
  std::vector<config::ServiceIndex> members_;
  config::ServiceIndex service_;
  const kuma::PolicyTrail* trail_ = nullptr;
  PriorityNames names_;
};

// Returns the section of a cluster without a trace: sessions, original destinations.
Section untraced(const FlowToExplain& of) {
  const config::ServiceIndex service = of.snapshot.flows().at(of.flow).service;
  const scenario::ClientEntry& client = of.snapshot.scenario().clients[of.snapshot.flows().at(of.flow).client.value];
  const ViewOfClient view{of.snapshot.scenario(), of.sources, client, service, trail_of(client, service)};
  Section section{.title = of.title, .depth = of.depth, .requests = of.requests};
  section.steps.push_back(placement_step(view, of.snapshot.upstreams().reported(of.flow, service)));
  return section;
}

// Returns the section of a cluster that the proxy does not have.
Section missing_section(const FlowToExplain& of, const scenario::Service& service) {
  const scenario::MissingCluster& missing = *service.missing;
  Fact fact = words(missing.no_route ? "" : printable(service.name),
                    missing.direct_response != 0 ? printable(missing.reason)
                    : missing.no_route ? fmt::format("{}: Envoy answers with a 404", printable(missing.reason))
                                       : fmt::format("there is no such cluster, since {}: Envoy answers with a 503",
                                                     printable(missing.reason)));
  // Without a VirtualService only Envoy's documents have a position.
  if (!missing.routed_by.empty() || !service.as_view) {
    fact.where = fmt::format("{}:{}", printable(of.sources[missing.where.file].name), missing.where.line);
  }
  Section section{.title = of.title, .depth = of.depth, .requests = of.requests};
  section.steps.push_back({.name = "cluster", .facts = {std::move(fact)}, .sources = {"Envoy router.cc"}});
  return section;
}

}  // namespace

void add_sections(const FlowToExplain& of, std::vector<Section>& into) {
  const config::ServiceIndex service = of.snapshot.flows().at(of.flow).service;
  if (of.snapshot.scenario().services[service.value].missing != nullptr) {
    into.push_back(missing_section(of, of.snapshot.scenario().services[service.value]));
    return;
  }
  const Uses uses(of);
  for (const Use& use : uses.all()) {
    into.push_back(SectionWriter(of, use).write());
  }
  if (uses.all().empty()) {
    into.push_back(untraced(of));
  }
}

}  // namespace spillway::reports::explain
