#include "reports/import/reported_assignments.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/parse.hpp"

using namespace spillway;

namespace {

constexpr const char* eds_assignment =
    R"({"cluster_name": "outbound|80||cart", "policy": {"overprovisioning_factor": 140}, "endpoints": [)"
    R"({"locality": {"zone": "z1"}, "lb_endpoints": [{"endpoint": {"address": {"socket_address": )"
    R"({"address": "10.0.0.1", "port_value": 80}}}, "health_status": "UNHEALTHY"}]}]})";

std::optional<reports::ReportedDocuments> made_of(const std::string& text, const std::string& chosen = "") {
  Sources sources = {{"eds.json", text}};
  return reports::documents_of_assignments(sources, chosen);
}

std::size_t clusters_in(const reports::ReportedDocuments& made) {
  std::size_t count = 0;
  for (std::size_t at = made.text.find("\"lb_policy\""); at != std::string::npos;
       at = made.text.find("\"lb_policy\"", at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("Assignments alone become clusters of their own, in every form in which they are printed") {
  const std::string text = eds_assignment;
  for (const std::string& form : std::vector<std::string>{
           text,
           R"({"configs": [{"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump", )"
           R"("dynamic_endpoint_configs": [{"endpoint_config": )" +
               text + "}]}]}",
           R"({"@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment", )" + text.substr(1),
           R"({"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump", "static_endpoint_configs": )"
           R"([{"endpoint_config": )" +
               text + "}]}"}) {
    CAPTURE(form);
    const auto made = made_of(form);
    REQUIRE(made);
    CHECK(made->problems.empty());
    CHECK(clusters_in(*made) == 1);
    CHECK(made->text.find("\"LEAST_REQUEST\"") != std::string::npos);
    CHECK(made->text.find("@type") == std::string::npos);
    CHECK(made->text.find("\"UNHEALTHY\"") != std::string::npos);
    CHECK(made->assumed.size() == 2);
  }
}

TEST_CASE("Assignments beside a Cluster, and other documents, are read as they are") {
  const std::string text = eds_assignment;
  CHECK_FALSE(made_of(R"({"name": "a", "type": "STATIC", "load_assignment": )" + text + "}"));
  CHECK_FALSE(made_of("{\"lb_endpoints\": 1}"));
  CHECK_FALSE(made_of("kind: Service\n"));
  CHECK_FALSE(made_of("{\"lb_endpoints\": "));
}
