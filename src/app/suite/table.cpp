#include "app/suite/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/output.h"

namespace whittle::app::suite {

namespace {

bool numeric(const std::string& text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-' || text[0] == '.');
}

/// Columns a terminal shows; every character of ours is one wide.
size_t shown(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void Table::print() const {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(shown(columns_[c]));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], shown(row[c]));
  }
  auto line = [&](const std::vector<std::string>& row, bool head) {
    for (size_t c = 0; c < row.size(); ++c) {
      std::string space(widths[c] - shown(row[c]), ' ');
      bool right = head ? !rows_.empty() && numeric(rows_[0][c]) : numeric(row[c]);
      fmt::print("{}{}{}", c == 0 ? "" : "  ", right ? space : "", row[c]);
      if (!right && c + 1 < row.size()) fmt::print("{}", space);
    }
    fmt::print("\n");
  };
  fmt::print("\n{}\n", title_);
  line(columns_, true);
  for (const auto& row : rows_) line(row, false);
  std::fflush(stdout);
}

void write_json(const std::string& file, const std::vector<const Table*>& tables) {
  if (file.empty()) return;
  auto document = nlohmann::ordered_json::array();
  for (const Table* table : tables) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : table->rows()) {
      nlohmann::ordered_json entry;
      for (size_t c = 0; c < row.size(); ++c) {
        std::string name = table->columns()[c];  // several columns may be called "s": the second is "s (2)"
        for (int n = 2; entry.contains(name); ++n) name = fmt::format("{} ({})", table->columns()[c], n);
        entry[name] = row[c];
      }
      rows.push_back(entry);
    }
    document.push_back({{"table", table->title()}, {"rows", rows}});
  }
  write_file(file, document.dump(2) + "\n");
}

namespace {

/// 1, 2 or 5 times a power of ten: about ten of them, or fewer, are the whole.
double nice_step(double whole) {
  double power = std::pow(10, std::floor(std::log10(whole / 10)));
  for (double factor : {1.0, 2.0, 5.0})
    if (whole / (factor * power) <= 10 + 1e-9) return factor * power;
  return 10 * power;
}

/// Values to coordinates, and where a line is drawn across.
class YAxis {
 public:
  YAxis(Scale scale, const std::vector<Series>& series) : scale_(scale) {
    double low = 1e300, high = 0;
    for (const Series& s : series)
      for (auto [x, y] : s.points)
        if (y > 0) low = std::min(low, y), high = std::max(high, y);
    if (low > high) low = 1, high = 10;
    if (scale == Scale::Linear) {
      double step = nice_step(high);
      for (double y = 0; y < high + step * 0.999; y += step) marks_.push_back(y);
    } else {
      double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high) + 1e-9);
      if (last <= first) last = first + 1;
      for (double decade = first; decade <= last; ++decade) marks_.push_back(std::pow(10, decade));
    }
  }
  const std::vector<double>& marks() const { return marks_; }
  double part(double y) const {  ///< 0 at the bottom, 1 at the top
    return (place(std::max(y, marks_.front())) - place(marks_.front())) /
           (place(marks_.back()) - place(marks_.front()));
  }

 private:
  double place(double y) const { return scale_ == Scale::Linear ? y : std::log10(y); }
  Scale scale_;
  std::vector<double> marks_;
};

}  // namespace

std::string svg_plot(const std::string& title, const std::string& x_name, const std::string& y_name,
                     const std::vector<Series>& series, Scale y_scale) {
  constexpr double kWidth = 640, kHeight = 420, kLeft = 70, kRight = 20, kTop = 40, kBottom = 55;
  static const char* const kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e"};
  double x_low = 1e300, x_high = -1e300;
  for (const Series& s : series)
    for (auto [x, y] : s.points) x_low = std::min(x_low, x), x_high = std::max(x_high, x);
  if (x_low > x_high) x_low = 0, x_high = 1;
  if (x_high <= x_low) x_high = x_low + 1;
  YAxis axis(y_scale, series);
  auto px = [&](double x) { return kLeft + (x - x_low) / (x_high - x_low) * (kWidth - kLeft - kRight); };
  auto py = [&](double y) { return kHeight - kBottom - axis.part(y) * (kHeight - kTop - kBottom); };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
      kWidth, kHeight, kLeft, title);
  for (double y : axis.marks())
    out += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:g}</text>\n",
        kLeft, kWidth - kRight, py(y), kLeft - 6, py(y) + 4, y);
  double step = std::max(1.0, nice_step(x_high - x_low));
  for (double x = std::ceil(x_low / step) * step; x <= x_high + 1e-9; x += step)
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", px(x),
                       kHeight - kBottom + 18, x);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (kLeft + kWidth - kRight) / 2,
                     kHeight - 14, x_name);
  out += fmt::format("<text transform=\"translate(16,{}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (kTop + kHeight - kBottom) / 2, y_name);
  for (size_t i = 0; i < series.size(); ++i) {
    const char* colour = kColours[i % 5];
    std::string path;
    for (auto [x, y] : series[i].points) {
      path += fmt::format("{:.1f},{:.1f} ", px(x), py(y));
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", px(x), py(y), colour);
    }
    out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path, colour);
    out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", kLeft + 10,
                       kTop + 16 * (static_cast<double>(i) + 1), colour, series[i].name);
  }
  return out + "</svg>\n";
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number), out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace whittle::app::suite
