// Formats the result of a search: the answer with its interval, the objective that fails first, the proof, and every
// value tried.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::sweep {
struct FindText;  // find.hpp
struct Found;     // find.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

[[nodiscard]] std::string format_found(const sweep::FindText& text, const sweep::Found& found, Format format,
                                       const Look& look);

}  // namespace spillway::reports
