#include "sim/scenario/control_plane.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/kuma/validation.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/control_plane.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;
using Setting = ControlPlaneSetting;

double in_seconds(Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// Reads the keys of a setting over those that it inherits.
class SettingReader {
 public:
  SettingReader(const Header& header, const messages::ControlPlaneKeys& file, Setting& setting)
      : header_(header), file_(file), setting_(setting) {}

  void read() {
    take(file_.cores, setting_.cores);
    take(file_.other_work, setting_.other_work);
    take(file_.speed, setting_.speed);
    take(file_.services, setting_.services);
    take(file_.instances, setting_.instances);
    take(file_.zones, setting_.zones);
    take(file_.reachable_services, setting_.reachable_services);
    if (file_.cla_cache) {
      setting_.sharing = static_cast<AssignmentSharing>(*file_.cla_cache);
    }
    if (file_.reach) {
      setting_.acyclic = *file_.reach == 0;
    }
    read_times();
    read_policies();
    read_changes();
    read_cost();
    read_readings();
    check_size();
  }

 private:
  template <class Written, class Value>
  static void take(const Field<Written>& field, Value& into) {
    if (field) {
      into = static_cast<Value>(*field);
    }
  }

  void check_within(const Field<Nanoseconds>& at) {
    if (at && *at >= header_.scenario.duration) {
      header_.problems.error("SP731", at.where, "a moment after the end of the run", "must be before the `duration`");
    }
  }

  void read_times() {
    const auto positive = [&](const Field<Nanoseconds>& field, Nanoseconds& into) {
      take(field, into);
      if (field && *field <= Nanoseconds{0}) {
        header_.problems.error("SP023", field.where, "a time of nothing", "must be above 0s");
      }
    };
    positive(file_.time_slice, setting_.time_slice);
    positive(file_.xds_server->refresh_interval, setting_.refresh_interval);
    positive(file_.store->cache->expiration, setting_.cache_expiration);
    read_ramp(file_.join, setting_.join);
    if (file_.leave.present) {
      read_ramp(file_.leave, setting_.leave.emplace());
    }
    if (setting_.leave && setting_.leave->from <= setting_.join.to && (file_.leave.present || file_.join.present)) {
      header_.problems.error("SP732", (file_.leave.present ? file_.leave : file_.join).key,
                             "instances leave before all have joined", "`leave` must begin after `join` has ended");
    }
  }

  void read_ramp(const Field<messages::ControlPlaneRamp>& file, Ramp& ramp) {
    if (!file) {
      return;
    }
    ramp = {file->from.value_or(Nanoseconds{0}), file->to.value_or(Nanoseconds{0})};
    check_within(file->from);
    check_within(file->to);
    if (file->from && file->to && *file->to < *file->from) {
      header_.problems.error("SP732", file->to.where, "a ramp that ends before it begins", "must not be before `from`");
    }
  }

  void read_policies() {
    if (!file_.policies.present) {
      return;
    }
    setting_.policies.clear();
    double sum = 0.0;
    constexpr double rounding = 1e-9;
    for (const auto& policy : file_.policies.value) {
      const double part = policy->services ? policy->services->percent() / 100.0 : 0.0;
      sum += part;
      if (sum > 1.0 + rounding) {
        header_.problems.error("SP733", policy->services.where, "policies for more services than there are",
                               "all percentages together must not be above 100%");
      }
      admit(policy->conf);
      setting_.policies.push_back({part, policy->conf.value});
    }
  }

  void admit(const Field<kuma::Conf>& conf) {
    kuma::TargetRef mesh;
    mesh.kind = "Mesh";
    kuma::MeshLoadBalancingStrategy spec;
    spec.to.emplace().push_back({mesh, conf.value});
    for (const kuma::Violation& violation : kuma::admit(spec, header_.scenario.profile.kuma)) {
      header_.problems.error("SP601", conf.where, "Kuma refuses `{}`", "{}", {violation.field, violation.message});
    }
  }

  void read_changes() {
    if (!file_.changes.present) {
      return;
    }
    setting_.changes.clear();
    for (const auto& change : file_.changes.value) {
      check_within(change->at);
      setting_.changes.push_back(
          {change->at.value_or(Nanoseconds{0}), static_cast<MeshChange::What>(change->what.value_or(0))});
    }
    std::sort(setting_.changes.begin(), setting_.changes.end(), [](const MeshChange& left, const MeshChange& right) {
      return std::pair(left.at, left.what) < std::pair(right.at, right.what);
    });
  }

  void read_cost() {
    if (!file_.cost) {
      return;
    }
    const auto read = [&](const Field<Nanoseconds>& field, Nanoseconds& into) {
      constexpr Nanoseconds most = std::chrono::seconds{100};
      take(field, into);
      if (field && *field > most) {
        header_.problems.error("SP023", field.where, "a cost that is out of bounds", "must be at most 100s");
        into = most;
      }
    };
    const messages::ControlPlaneCost& cost = *file_.cost;
    read(cost.mesh_context, setting_.cost.mesh_context);
    read(cost.generation, setting_.cost.generation);
    read(cost.service, setting_.cost.service);
    read(cost.assignment, setting_.cost.assignment);
    read(cost.lookup, setting_.cost.lookup);
    read(cost.proxy_certificate, setting_.cost.proxy_certificate);
    read(cost.join, setting_.cost.join);
  }

  void read_readings() {
    setting_.readings.clear();
    setting_.differences.clear();
    if (!file_.readings) {
      return;
    }
    setting_.precision = in_seconds(file_.readings->precision.value_or(Nanoseconds{0}));
    const auto seconds_of = [](const Field<Nanoseconds>& field) {
      return field ? std::optional(in_seconds(*field)) : std::nullopt;
    };
    for (const auto& row : file_.readings->rows.value) {
      if (row->at && *row->at > header_.scenario.duration) {
        header_.problems.error("SP731", row->at.where, "a reading after the end of the run",
                               "must not be after the `duration`");
      }
      if (row->at && !setting_.readings.empty() && *row->at <= setting_.readings.back().at) {
        header_.problems.error("SP734", row->at.where, "readings that are not in the order of time",
                               "must be after the one before");
      }
      setting_.readings.push_back({row->at.value_or(Nanoseconds{0}),
                                   {seconds_of(row->p50), seconds_of(row->p90), seconds_of(row->p99)},
                                   row.where});
    }
    for (const auto& group : file_.readings->differences.value) {
      for (const auto& row : group->rows.value) {
        read_difference(*row, group->reason.value_or(""), row.where);
      }
    }
  }

  void read_difference(const messages::ControlPlaneDifference& row, const std::string& reason, Span where) {
    const auto found = std::find_if(setting_.readings.begin(), setting_.readings.end(),
                                    [&](const LatencyReading& reading) { return row.at && reading.at == *row.at; });
    if (found == setting_.readings.end()) {
      if (row.at) {
        header_.problems.error("SP739", row.at.where, "a known difference without a reading",
                               "no reading at this time");
      }
      return;
    }
    KnownDifference difference{
        .reading = static_cast<std::size_t>(found - setting_.readings.begin()), .reason = reason, .where = where};
    const auto read = [&](const Field<messages::ControlPlaneFigures>& figures,
                          std::optional<double> LatencyQuantiles::* quantile) {
      if (!figures) {
        return;
      }
      if (!(found->latency.*quantile)) {
        header_.problems.error("SP739", figures.key, "a known difference without a reading",
                               "no such reading at this time");
      }
      const bool repeated = std::any_of(
          setting_.differences.begin(), setting_.differences.end(),
          [&](const auto& other) { return other.reading == difference.reading && other.documented.*quantile; });
      if (repeated) {
        header_.problems.error("SP740", figures.key, "two known differences of one reading",
                               "this reading has one already");
      }
      difference.documented.*quantile = in_seconds(figures->documented.value_or(Nanoseconds{0}));
      difference.ours.*quantile = in_seconds(figures->ours.value_or(Nanoseconds{0}));
    };
    read(row.p50, &LatencyQuantiles::p50);
    read(row.p90, &LatencyQuantiles::p90);
    read(row.p99, &LatencyQuantiles::p99);
    setting_.differences.push_back(std::move(difference));
  }

  // Checks sizes that this setting writes; inherited ones are reported at their own place.
  void check_size() {
    constexpr std::uint64_t most_instances = 1'000'000;
    if ((file_.services || file_.instances) && std::uint64_t{setting_.services} * setting_.instances > most_instances) {
      header_.problems.error("SP735", (file_.instances ? file_.instances : file_.services).where,
                             "more instances than can be simulated", "all together must not be above 1,000,000");
    }
    if ((file_.cores || file_.other_work) && setting_.other_work >= setting_.cores) {
      header_.problems.error("SP741", (file_.other_work ? file_.other_work : file_.cores).where, "no core is left",
                             "`other_work` must be less than `cores`");
      setting_.other_work = 0;
    }
    if ((file_.services || file_.reachable_services) && setting_.reachable_services >= setting_.services) {
      header_.problems.error("SP736", (file_.reachable_services ? file_.reachable_services : file_.services).where,
                             "more reachable services than there are", "an instance calls services other than its own");
    }
  }

  const Header& header_;
  const messages::ControlPlaneKeys& file_;
  Setting& setting_;
};

void read_setting_name(const Header& header, ControlPlane& plane, const Field<std::string>& name, Setting& setting) {
  setting.name = name.value_or("as written");
  const auto same = [&](const Setting& other) { return other.name == setting.name; };
  if (std::any_of(plane.settings.begin(), plane.settings.end(), same)) {
    header.problems.error("SP101", name.where, "two settings called `{}`", "another setting has this name",
                          {setting.name});
  }
}

// Reads the ratios. Precondition: all settings have their names.
void read_setting_ratios(const Header& header, ControlPlane& plane, const messages::ControlPlaneKeys& file,
                         Setting& setting) {
  setting.ratios.clear();
  for (const auto& field : file.ratios.value) {
    const messages::ControlPlaneRatio& written = *field;
    const auto found = std::find_if(plane.settings.begin(), plane.settings.end(),
                                    [&](const Setting& other) { return other.name == written.to.value; });
    if (written.to && found == plane.settings.end()) {
      header.problems.error("SP737", written.to.where, "unknown setting `{}`", "no setting of this name",
                            {*written.to});
      continue;
    }
    for (const Field<Nanoseconds>* const at : {&written.at, &written.to_at}) {
      if (*at && **at > header.scenario.duration) {
        header.problems.error("SP731", at->where, "a moment after the end of the run",
                              "must not be after the `duration`");
      }
    }
    const auto number = [](const Field<double>& value) { return value ? std::optional(*value) : std::nullopt; };
    setting.ratios.push_back({static_cast<std::size_t>(found - plane.settings.begin()),
                              written.at.value_or(Nanoseconds{0}),
                              written.to_at.value_or(Nanoseconds{0}),
                              {number(written.p50), number(written.p90), number(written.p99)},
                              {number(written.ours->p50), number(written.ours->p90), number(written.ours->p99)},
                              written.reason.value_or(""),
                              field.where});
    for (const auto& [ours, documented] : {std::pair{&written.ours->p50, &written.p50},
                                           {&written.ours->p90, &written.p90},
                                           {&written.ours->p99, &written.p99}}) {
      if (*ours && !*documented) {
        header.problems.error("SP739", ours->key, "a known difference without a reading",
                              "the document's ratio is not written");
      }
    }
  }
}

template <class T>
void refuse_beside(const Header& header, const char* name, const Field<T>& field) {
  if (field.present) {
    header.problems.error("SP730", field.key, "`{}` and `control_plane` are mutually exclusive",
                          "no client sends requests where a control plane is simulated", {name});
  }
}

void refuse_other_keys(const Header& header) {
  const messages::Scenario& file = header.file;
  refuse_beside(header, "mode", file.mode);
  refuse_beside(header, "zones", file.zones);
  refuse_beside(header, "links", file.links);
  refuse_beside(header, "services", file.services);
  refuse_beside(header, "clusters", file.clusters);
  refuse_beside(header, "load_assignments", file.load_assignments);
  refuse_beside(header, "routes", file.routes);
  refuse_beside(header, "local_cluster", file.local_cluster);
  refuse_beside(header, "policies", file.policies);
  refuse_beside(header, "resources", file.resources);
  refuse_beside(header, "cla_cache", file.cla_cache);
  refuse_beside(header, "clients", file.clients);
  refuse_beside(header, "timeline", file.timeline);
  refuse_beside(header, "expect", file.expect);
  refuse_beside(header, "objectives", file.objectives);
  refuse_beside(header, "failures", file.failures);
}

}  // namespace

Scenario read_control_plane(Header header) {
  refuse_other_keys(header);
  const messages::ControlPlane& file = *header.file.control_plane;
  ControlPlane plane;
  plane.where = header.file.control_plane.key;
  Setting first;
  first.refresh_interval = first.cache_expiration = std::chrono::seconds{1};
  read_setting_name(header, plane, file.name, first);
  SettingReader(header, file, first).read();
  plane.settings.push_back(first);
  for (const auto& variation : file.variations.value) {
    Setting setting = first;
    read_setting_name(header, plane, variation->name, setting);
    SettingReader(header, *variation, setting).read();
    plane.settings.push_back(std::move(setting));
  }
  read_setting_ratios(header, plane, file, plane.settings.front());
  for (std::size_t position = 0; position < file.variations.value.size(); ++position) {
    read_setting_ratios(header, plane, *file.variations.value[position], plane.settings[position + 1]);
  }
  header.scenario.control_plane = std::make_shared<const ControlPlane>(std::move(plane));
  return std::move(header.scenario);
}

}  // namespace spillway::scenario::binding
