// The file of a sweep as it is read: its keys and sides as columns to group and filter by.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/sweep/database.hpp"
#include "sim/sweep/file_check.hpp"

namespace spillway::sweep {

// A column to group or filter by: a key, or the side.
struct Dimension {
  std::string name;
  std::string value;   // SQL, for a row `p` of points
  std::string number;  // SQL
};

[[nodiscard]] std::string sql_text(const std::string& text);

class SweepFile {
 public:
  // Throws StoreProblem (file_check.hpp).
  explicit SweepFile(const std::string& path);

  [[nodiscard]] Database& database() noexcept { return database_; }
  // Returns the dimensions: keys, then the side.
  [[nodiscard]] const std::vector<Dimension>& dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }
  [[nodiscard]] const SweepRow& row() const noexcept { return row_; }

  // Returns the dimension by its name or whole path; throws SP956. `option` is the requesting option, for messages.
  [[nodiscard]] const Dimension& dimension(const std::string& option, const std::string& name) const;

  // Returns an SQL condition for these values. Throws SP956 if no point has one of them.
  [[nodiscard]] std::string conditions(const std::vector<std::pair<std::string, std::string>>& where,
                                       bool refused_too = false);

  [[noreturn]] static void refuse(const std::string& what, const std::string& name,
                                  const std::vector<std::string>& names);

 private:
  [[noreturn]] void refuse_value(const Dimension& of, const std::string& value);

  Database database_;
  std::vector<Dimension> dimensions_;
  std::vector<std::string> paths_;
  SweepRow row_;
};

}  // namespace spillway::sweep
