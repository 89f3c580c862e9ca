// Tables and plots of benchmark suites.
//
//   Table table("Peterson", {"N", "states", "seconds"});
//   table.add({"4", "479201", "0.33"});
//   table.print();                       // aligned, numbers to the right
//   table.write_json("bench.json");      // the same, for programs; no file if the name is empty
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace whittle::app::suite {

class Table {
 public:
  Table(std::string title, std::vector<std::string> columns) : title_(std::move(title)), columns_(std::move(columns)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;
  const std::string& title() const { return title_; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::string title_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// All tables of a suite as one JSON document. Nothing if `file` is empty; "-" is stdout.
void write_json(const std::string& file, const std::vector<const Table*>& tables);

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};
enum class Scale : uint8_t { Logarithmic, Linear };
/// Lines over a linear x axis and a y axis of the given kind (a linear one starts at 0), as SVG.
std::string svg_plot(const std::string& title, const std::string& x_name, const std::string& y_name,
                     const std::vector<Series>& series, Scale y_scale = Scale::Logarithmic);

/// 1234567 as "1,234,567".
std::string grouped(uint64_t number);

}  // namespace whittle::app::suite
