// The load report of an endpoint in each response: the fields of xds.data.orca.v3.OrcaLoadReport that client-side
// weights use.
#pragma once

#include "models/documents/grammar/shapes.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

struct LoadReport {
  static constexpr const char* definition = "xds.data.orca.v3.OrcaLoadReport";
  Field<double> rps_fractional;
  Field<double> eps;
  Field<double> application_utilization;
  Field<double> cpu_utilization;
  Field<grammar::MapOf<grammar::Number>::Value> named_metrics;
};

inline void describe(Fields& fields, LoadReport& report) {
  using grammar::Number;
  static constexpr double largest = 1e12;
  fields.message();
  fields.required("rps_fractional", report.rps_fractional, Number{0.0, largest, ""},
                  "requests a second that it serves");
  fields.optional("eps", report.eps, Number{0.0, largest, ""}, "errors a second; default: 0");
  fields.optional("application_utilization", report.application_utilization, Number{0.0, largest, ""},
                  "utilization of the application; default: 0, which counts as not reported");
  fields.optional("cpu_utilization", report.cpu_utilization, Number{0.0, largest, ""},
                  "utilization of its processors; default: 0");
  fields.optional("named_metrics", report.named_metrics, grammar::MapOf<Number>{Number{0.0, largest, ""}},
                  "utilization by name, for metric_names_for_computing_utilization");
}

}  // namespace spillway::messages
