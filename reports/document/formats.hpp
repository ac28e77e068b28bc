// The formats that documents are printed in. A new one is a file beside this one, its name here and its line in
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

// "table", "wide", "markdown", "csv", "json", in this order.
[[nodiscard]] const std::vector<std::string>& format_names();
[[nodiscard]] std::optional<Format> format_of(std::string_view name);

// Those that people read: they group and round figures, and show warnings and verdicts, which the others leave to the
// caller.
[[nodiscard]] bool is_for_people(Format format);

// The formats, a function a file.
void write_text(const Document& document, const Look& look, const Sink& sink);
void write_wide(const Document& document, const Look& look, const Sink& sink);
void write_markdown(const Document& document, const Look& look, const Sink& sink);
void write_csv(const Document& document, const Look& look, const Sink& sink);
void write_json(const Document& document, const Look& look, const Sink& sink);

}  // namespace spillway::reports
