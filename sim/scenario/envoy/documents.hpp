// What Envoy's documents hold together, before anything is made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/document/node.hpp"
#include "sim/scenario/grammar/field.hpp"
#include "sim/scenario/written/endpoints.hpp"

namespace spillway::scenario::envoy_documents {

enum class Kind : std::uint8_t {
  scenario,
  bootstrap,
  cluster_list,
  cluster,
  load_assignment,
  discovery_response,
  other
};

// What a document is, by its keys.
[[nodiscard]] Kind kind_of(const document::Node& root);

// A cluster or load assignment with the problems that were found in it: they count only if it matters.
template <class T>
struct Candidate {
  T written;
  Span where;
  Diagnostics problems = {};
};

struct Documents {
  std::vector<Candidate<written::WholeCluster>> clusters;
  std::vector<Candidate<written::WholeLoadAssignment>> load_assignments;
  grammar::Field<std::string> node_id;
  written::Locality locality;
  grammar::Field<std::string> local_cluster;
  config::Runtime runtime;
};

// Adds what a document holds. Nulls must be gone, and the tree must outlive the Documents.
void collect(const document::Node& root, Documents& documents, Diagnostics& problems);

}  // namespace spillway::scenario::envoy_documents
