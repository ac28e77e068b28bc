// Runs a command on documents of Kubernetes, Istio and Kuma that are no scenario: in the world that is assumed around
// them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "sim/scenario/pasted/compose.hpp"

namespace spillway::cli {

// True if a command takes such documents.
[[nodiscard]] bool takes_pasted(Command command);

// Calls `next` with the arguments or, for such documents, with the scenario made of them. Adds what was assumed to the
// results: lines in texts, `assumed` in JSON.
[[nodiscard]] CommandResult with_pasted_documents(const Arguments& arguments,
                                                  const std::function<CommandResult(const Arguments&)>& next);

// Returns the command line's question about pasted documents.
[[nodiscard]] scenario::pasted::Question pasted_question(const Arguments& arguments);

// Prints problems of documents, and returns the refusal if there is no scenario.
[[nodiscard]] std::optional<CommandResult> refuse_composed(const scenario::pasted::Composed& composed,
                                                           const Arguments& arguments);

// Refuses files that no command reads: documents and texts of other programs, tables without endpoints. Prints what
// they are and what to give instead. nullopt for other files.
[[nodiscard]] std::optional<CommandResult> refuse_unread(const scenario::pasted::Composed& composed,
                                                         const Arguments& arguments);

// Returns the lines below a text: assumptions, and ignored documents.
[[nodiscard]] std::string assumed_text(const scenario::pasted::Composed& composed);

// Returns the assumptions about the documents that this process reads, for a JSON object; empty if there are none.
[[nodiscard]] const std::vector<std::string>& assumed_now();

// Inserts `assumed` as the first member of a JSON object's text.
void insert_assumed(std::string& json);

}  // namespace spillway::cli
