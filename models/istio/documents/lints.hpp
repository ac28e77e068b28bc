// The traps of Istio's documents as located warnings: SP661 for the first of docs/behaviour/istio.md 12, and so on.
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

// "SP661".
[[nodiscard]] std::string code_of(std::uint32_t lint);

// Tells each lint once, however many proxies run into it.
class LintReport {
 public:
  // Both must outlive this.
  LintReport(const LocatedDocuments& documents, Diagnostics& problems) : documents_(&documents), problems_(&problems) {}

  // `client`: the place of lints that are about the client.
  void add(const std::vector<istio::Lint>& lints, Span client = {});

  // What only the file tells: zeros that are written where zero stands for the default.
  void add_written_zeros();

 private:
  void add(std::uint32_t number, Span where, const std::string& name, std::string label);

  const LocatedDocuments* documents_;
  Diagnostics* problems_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> reported_ = {};
  std::set<std::tuple<std::size_t, std::uint32_t, std::string, std::string>> looked_up_ = {};  // fields of documents
};

}  // namespace spillway::istio
