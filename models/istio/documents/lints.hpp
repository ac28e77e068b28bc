// Lints of Istio documents as located warnings: SP661 for the first of docs/behaviour/istio.md 12, and so on.
//
//   LintReport report(documents, problems);
//   report.add(istio::lints_of({...}));
//   report.add(view_lints, client_place);
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/documents/diagnostic.hpp"

namespace spillway::istio {

struct Lint;              // lints.hpp
struct LocatedDocuments;  // documents.hpp

// Returns the code of a lint, such as "SP661".
[[nodiscard]] std::string code_of(std::uint32_t lint);

// Reports each lint once, however many proxies it affects.
class LintReport {
 public:
  // Lifetime: both arguments must outlive this object.
  LintReport(const LocatedDocuments& documents, Diagnostics& problems) : documents_(&documents), problems_(&problems) {}

  // Adds lints. `client` is the place of lints that concern the client.
  void add(const std::vector<istio::Lint>& lints, Span client = {});

  // Adds lints that need the file: zeros that are written although zero means the default.
  void add_written_zeros();

 private:
  void add(std::uint32_t number, Span where, const std::string& name, std::string label);

  const LocatedDocuments* documents_;
  Diagnostics* problems_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> reported_ = {};
  std::set<std::tuple<std::size_t, std::uint32_t, std::string, std::string>> looked_up_ = {};  // fields of documents
};

}  // namespace spillway::istio
