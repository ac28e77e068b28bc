// Quotes and escapes text for the formats that reports write: CSV, XML and HTML, Markdown, Graphviz and shells.
//
// CSV has the quoting of RFC 4180, ended by a line feed only. Names are safe for spreadsheets: control characters are
// spelled out (`\x1b`), and names that look like a formula get an apostrophe (`'=1+1`). Source: OWASP's "CSV
// Injection". Figures have no apostrophe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

// Quotes the text as a field of CSV if necessary.
[[nodiscard]] std::string csv_field(const std::string& text);

[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

// Escapes character data of XML and double-quoted attributes; spells control characters out.
[[nodiscard]] std::string xml_escaped(std::string_view text);

// Escapes character data and attributes of HTML; leaves control characters unchanged.
[[nodiscard]] std::string html_escaped(std::string_view text);

// Returns the text as literal GitHub Markdown: marks escaped, control characters spelled out.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

// Returns the text as for markdown_escaped() in a cell, but with > unescaped: "->" stays readable in the source.
[[nodiscard]] std::string markdown_cell(std::string_view text);

// Returns "| a
// b |". Cells are Markdown already.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// Returns the line below the titles, with numbers right-aligned: "|---|---:|".
[[nodiscard]] std::string markdown_rule(const std::vector<bool>& numbers);

// Returns the content of a double-quoted string of Graphviz for exactly this text: it contains no escape, entity or
// closing quote.
[[nodiscard]] std::string dot_text(const std::string& line);

// Returns lines below each other, with the quotes.
[[nodiscard]] std::string dot_label(const std::vector<std::string>& lines);

// Quotes words for a shell: rate=5 unchanged, 'clients[shop].workload.rate=5' in quotes.
[[nodiscard]] std::string shell_word(const std::string& word);

// Joins quoted words with spaces.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace spillway::reports
