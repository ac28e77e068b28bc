#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "models/health/outlier_detection.hpp"
#include "tests/conformance/check.hpp"
#include "tests/conformance/config_fields.hpp"

namespace spillway::conformance {

namespace {

using health::Detection;
using health::OutlierDetector;
using health::OutlierEvent;
using health::OutlierResult;

const std::map<Detection, std::string> detections = {
    {Detection::consecutive_5xx, "CONSECUTIVE_5XX"},
    {Detection::consecutive_gateway_failure, "CONSECUTIVE_GATEWAY_FAILURE"},
    {Detection::success_rate, "SUCCESS_RATE"},
    {Detection::consecutive_local_origin_failure, "CONSECUTIVE_LOCAL_ORIGIN_FAILURE"},
    {Detection::success_rate_local_origin, "SUCCESS_RATE_LOCAL_ORIGIN"},
    {Detection::failure_percentage, "FAILURE_PERCENTAGE"},
    {Detection::failure_percentage_local_origin, "FAILURE_PERCENTAGE_LOCAL_ORIGIN"},
};

const std::map<OutlierEvent::Action, std::string> actions = {
    {OutlierEvent::Action::eject, "eject"},
    {OutlierEvent::Action::uneject, "uneject"},
    {OutlierEvent::Action::detected_not_enforced, "detected_not_enforced"},
    {OutlierEvent::Action::overflow, "overflow"},
};

const std::map<std::string, OutlierResult> results = {
    {"ExtOriginRequestFailed", OutlierResult::ext_origin_request_failed},
    {"ExtOriginRequestSuccess", OutlierResult::ext_origin_request_success},
    {"LocalOriginTimeout", OutlierResult::local_origin_timeout},
    {"LocalOriginConnectFailed", OutlierResult::local_origin_connect_failed},
    {"LocalOriginConnectSuccess", OutlierResult::local_origin_connect_success},
    {"LocalOriginConnectSuccessFinal", OutlierResult::local_origin_connect_success_final},
};

// Plays the ops of a script on a detector; every decision comes right after the report that asked for it.
class OutlierScript {
 public:
  OutlierScript(const json& input, Check& check)
      : names_(input.at("hosts").get<std::vector<std::string>>()),
        detector_(outlier_detection_of(input.at("config")), static_cast<std::uint32_t>(names_.size())),
        draws_(input.value("rng", std::vector<std::uint64_t>())),
        check_(check) {}

  void simulate(const json& ops) {
    for (const json& op : ops) {
      ++position_;
      simulate_op(op, op.at("op").get<std::string>());
    }
    check_.equal("events", events_);
    check_.equal("overflow", detector_.overflows());
  }

 private:
  void simulate_op(const json& op, const std::string& name) {
    if (name == "report") {
      report(op);
    } else if (name == "set_time_ms") {
      now_ = std::chrono::milliseconds{op.at("value").get<std::int64_t>()};
    } else if (name == "interval_tick") {
      now_ = std::chrono::milliseconds{op.at("at_ms").get<std::int64_t>()};
      for (const OutlierEvent& event : detector_.sweep(now_, draw_)) {
        note(event);
      }
    } else if (name == "active_hc_success") {
      // A host that still counts as failed by its checks stays out.
      const config::HostIndex host = host_of(op.at("host").get<std::string>());
      if (!op.at("failed_active_hc").get<bool>() && detector_.active_check_passed(host, now_)) {
        note({host, std::nullopt, OutlierEvent::Action::uneject});
      }
    } else if (name == "expect_ejected") {
      for (const auto& [field, value] : op.items()) {
        if (field != "op") {
          expect(op, value == detector_.ejected(host_of(field)));
        }
      }
    } else if (name == "expect_active") {
      expect(op, op.at("value") == detector_.ejected_hosts());
    } else if (name == "expect") {
      expect(op, op.at("value") == figure(op.at("what").get<std::string>()));
    } else if (name == "add_host") {
      add_host(op.at("host").get<std::string>());
    } else if (name == "remove_host") {
      detector_.leave(host_of(op.at("host").get<std::string>()));
    } else {
      throw std::invalid_argument("unknown op " + name);
    }
  }

  void report(const json& op) {
    const config::HostIndex host = host_of(op.at("host").get<std::string>());
    const std::uint64_t count = op.value("count", std::uint64_t{1});
    std::optional<std::uint32_t> code;
    if (op.contains("code") && !op.at("code").is_null()) {
      code = op.at("code").get<std::uint32_t>();
    }
    for (std::uint64_t index = 0; index < count; ++index) {
      const auto fired = op.contains("result")
                             ? detector_.report(host, results.at(op.at("result").get<std::string>()), code)
                             : detector_.report(host, code.value());
      for (const Detection run : fired) {
        if (const auto event = detector_.decide(host, run, now_, draw_)) {
          note(*event);
        }
      }
    }
  }

  // "success_rate h4", "success_rate_average", "success_rate_threshold", "local_success_rate h4" and so on.
  [[nodiscard]] double figure(const std::string& what) const {
    const std::size_t blank = what.find(' ');
    std::string name = what.substr(0, blank);
    const bool local = name.starts_with("local_");
    name = local ? name.substr(6) : name;
    const health::Origin origin = local ? health::Origin::local : health::Origin::external;
    if (name == "success_rate" && blank != std::string::npos) {
      return detector_.success_rate(host_of(what.substr(blank + 1)), origin);
    }
    if (name == "success_rate_average") {
      return detector_.success_rate_average(origin);
    }
    if (name == "success_rate_threshold" || name == "success_rate_ejection_threshold") {
      return detector_.success_rate_ejection_threshold(origin);
    }
    throw std::invalid_argument("unknown figure " + what);
  }

  void add_host(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
      names_.push_back(name);
    }
    detector_.join(host_of(name));
  }

  [[nodiscard]] config::HostIndex host_of(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      throw std::invalid_argument("unknown host " + name);
    }
    return {static_cast<std::uint32_t>(found - names_.begin())};
  }

  void note(const OutlierEvent& event) {
    events_.push_back({names_[event.host.value], event.detection ? json(detections.at(*event.detection)) : json(),
                       actions.at(event.action)});
  }

  void expect(const json& op, bool holds) {
    if (!holds) {
      check_.fail("op " + std::to_string(position_) + " " + op.dump() + " does not hold");
    }
  }

  // What the script lists, then zeros.
  std::uint64_t next_draw() { return used_ < draws_.size() ? draws_[used_++] : 0; }

  std::vector<std::string> names_;
  OutlierDetector detector_;
  std::vector<std::uint64_t> draws_;
  std::size_t used_ = 0;
  Check& check_;
  std::function<std::uint64_t()> draw_ = [this] { return next_draw(); };
  std::chrono::nanoseconds now_{0};
  json events_ = json::array();
  std::size_t position_ = 0;
};

}  // namespace

void replay_outlier_script(const json& input, Check& check) {
  OutlierScript(input, check).simulate(input.at("ops"));
}

// How long a host stays out each time that it is ejected again as soon as it is back.
void replay_outlier_durations(const json& input, Check& check) {
  if (input.at("re_eject") != "immediately after each unejection") {
    throw std::invalid_argument("unknown re_eject");
  }
  const auto milliseconds = [&](const char* field) {
    return std::chrono::milliseconds{input.at(field).get<std::int64_t>()};
  };
  const auto no_draw = [] { return std::uint64_t{0}; };
  OutlierDetector detector({.interval = milliseconds("interval_ms"),
                            .base_ejection_time = milliseconds("base_ejection_time_ms"),
                            .max_ejection_time = milliseconds("max_ejection_time_ms"),
                            .max_ejection_percent = 100},
                           1);
  json durations = json::array();
  std::chrono::nanoseconds now{0};
  for (int ejection = 0; ejection < input.at("ejections").get<int>(); ++ejection) {
    const auto event = detector.decide({0}, Detection::consecutive_5xx, now, no_draw);
    if (!event || event->action != OutlierEvent::Action::eject) {
      throw std::runtime_error("not ejected");
    }
    const std::chrono::nanoseconds begin = now;
    while (detector.ejected({0})) {
      now += milliseconds("interval_ms");
      static_cast<void>(detector.sweep(now, no_draw));
    }
    durations.push_back(std::chrono::duration_cast<std::chrono::milliseconds>(now - begin).count());
  }
  check.equal_whole(durations);
}

void replay_outlier_jitter(const json& input, Check& check) {
  const std::chrono::milliseconds most{input.at("max_ejection_time_jitter_ms").get<std::int64_t>()};
  check.equal_whole(health::ejection_jitter(most, input.at("random").get<std::uint64_t>()).count());
}

void replay_outlier_config(const json& input, Check& check) {
  const json figures = fields_of(outlier_detection_of(input));
  for (const auto& [field, value] : check.expected().items()) {
    check.equal(field, figures.at(field));
  }
}

void replay_outlier_sr_threshold(const json& input, Check& check) {
  const auto rates = input.at("success_rates").get<std::vector<double>>();
  const auto outliers = health::success_rate_outliers(rates, input.at("stdev_factor").get<double>());
  check.equal_whole({outliers.mean, outliers.threshold, outliers.positions});
}

}  // namespace spillway::conformance
