// The formats that documents are printed in. A new format needs a file here, its name below and its line in
// formats.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/text/sink.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {

struct Document;

enum class Format { table, wide, markdown, csv, json };

// Returns "table", "wide", "markdown", "csv", "json", in this order.
[[nodiscard]] const std::vector<std::string>& format_names();
[[nodiscard]] std::optional<Format> format_of(std::string_view name);

// True for formats for people: they group and round figures, and show warnings and verdicts. For the other formats the
// caller prints warnings and verdicts.
[[nodiscard]] bool is_for_people(Format format);

// Write the document in one format each, one file per function.
void write_text(const Document& document, const Look& look, const Sink& sink);
void write_wide(const Document& document, const Look& look, const Sink& sink);
void write_markdown(const Document& document, const Look& look, const Sink& sink);
void write_csv(const Document& document, const Look& look, const Sink& sink);
void write_json(const Document& document, const Look& look, const Sink& sink);

}  // namespace spillway::reports
