// strptime, in the "C" locale, as glibc does it: fields that the format does not name keep their values, but for those that follow from
// a whole date.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
#include <time.h>

#include "primitives.h"

static const char* const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char* const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

// What was read, besides the fields themselves.
struct seen {
  _Bool afternoon, half_day;  // %p was there; %I was there
  _Bool date;                 // anything that the day of the week depends on
  _Bool month, day, day_of_week, day_of_year;
  int century;  // -1: %C was not there
  _Bool short_year;
};
static const char* skip_blanks(const char* text) {
  while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
  return text;
}
// A number of at most so many digits; blanks in front are passed over. Null: none, or out of range.
static const char* read_number(const char* text, int low, int high, int digits, int* result) {
  int value = 0;
  while (*text == ' ') text++;
  if (*text < '0' || *text > '9') return 0;
  do value = value * 10 + (*text++ - '0');
  while (--digits > 0 && value * 10 <= high && *text >= '0' && *text <= '9');
  if (value < low || value > high) return 0;
  *result = value;
  return text;
}
// One of the names, whole or its first three letters.
static const char* read_name(const char* text, const char* const* names, int count, int* result) {
  for (int i = 0; i < count; i++) {
    size_t whole = strlen(names[i]);
    size_t length = strncasecmp(text, names[i], whole) == 0 ? whole : strncasecmp(text, names[i], 3) == 0 ? 3 : 0;
    if (length == 0) continue;
    *result = i;
    return text + length;
  }
  return 0;
}
static const char* read_zone(const char* text, struct tm* date) {
  text = skip_blanks(text);
  if (*text == 'Z') {
    date->tm_gmtoff = 0;
    return text + 1;
  }
  if (*text != '+' && *text != '-') return 0;
  _Bool west = *text++ == '-';
  int value = 0, count = 0;
  for (; count < 4 && *text >= '0' && *text <= '9'; text++) {
    value = value * 10 + (*text - '0');
    if (++count == 2 && text[1] == ':' && text[2] >= '0' && text[2] <= '9') text++;
  }
  if (count == 2) value *= 100;
  if ((count != 2 && count != 4) || value % 100 >= 60) return 0;
  date->tm_gmtoff = (value / 100 * 3600 + value % 100 * 60) * (west ? -1 : 1);
  return text;
}

static const char* read_all(const char* text, const char* format, struct tm* date, struct seen* seen);
static const char* read_one(const char* text, char conversion, struct tm* date, struct seen* seen) {
  int value = 0;
  switch (conversion) {
    case 'n':
    case 't': return skip_blanks(text);
    case '%': return *text == '%' ? text + 1 : 0;
    case 'a':
    case 'A': seen->day_of_week = 1; return read_name(text, weekdays, 7, &date->tm_wday);
    case 'b':
    case 'B':
    case 'h': seen->date = seen->month = 1; return read_name(text, months, 12, &date->tm_mon);
    case 'd':
    case 'e': seen->date = seen->day = 1; return read_number(text, 1, 31, 2, &date->tm_mday);
    case 'H':
    case 'k': seen->half_day = 0; return read_number(text, 0, 23, 2, &date->tm_hour);
    case 'I':
    case 'l':
      if (!(text = read_number(text, 1, 12, 2, &value))) return 0;
      date->tm_hour = value % 12;
      seen->half_day = 1;
      return text;
    case 'j':
      if (!(text = read_number(text, 1, 366, 3, &value))) return 0;
      date->tm_yday = value - 1;
      seen->day_of_year = 1;
      return text;
    case 'm':
      if (!(text = read_number(text, 1, 12, 2, &value))) return 0;
      date->tm_mon = value - 1;
      seen->date = seen->month = 1;
      return text;
    case 'M': return read_number(text, 0, 59, 2, &date->tm_min);
    case 'S': return read_number(text, 0, 61, 2, &date->tm_sec);
    case 'p':
    case 'P':
      if (strncasecmp(text, "AM", 2) != 0 && strncasecmp(text, "PM", 2) != 0) return 0;
      seen->afternoon = *text == 'P' || *text == 'p';
      return text + 2;
    case 'w': seen->day_of_week = 1; return read_number(text, 0, 6, 1, &date->tm_wday);
    case 'u':
      if (!(text = read_number(text, 1, 7, 1, &value))) return 0;
      date->tm_wday = value % 7;
      seen->day_of_week = 1;
      return text;
    case 'y':
      if (!(text = read_number(text, 0, 99, 2, &value))) return 0;
      date->tm_year = value >= 69 ? value : value + 100;
      seen->date = seen->short_year = 1;
      return text;
    case 'Y':
      if (!(text = read_number(text, 0, 9999, 4, &value))) return 0;
      date->tm_year = value - 1900;
      seen->date = 1;
      seen->short_year = 0;
      return text;
    case 'C':
      if (!(text = read_number(text, 0, 99, 2, &seen->century))) return 0;
      seen->date = 1;
      return text;
    case 'D':
    case 'x': return read_all(text, "%m/%d/%y", date, seen);
    case 'F': return read_all(text, "%Y-%m-%d", date, seen);
    case 'R': return read_all(text, "%H:%M", date, seen);
    case 'r': return read_all(text, "%I:%M:%S %p", date, seen);
    case 'T':
    case 'X': return read_all(text, "%H:%M:%S", date, seen);
    case 'c': return read_all(text, "%a %b %e %H:%M:%S %Y", date, seen);
    case 'z': return read_zone(text, date);
    default: __whittle_unsupported("strptime with a conversion beyond dates, times and %z");
  }
}
static const char* read_all(const char* text, const char* format, struct tm* date, struct seen* seen) {
  for (; text && *format; format++) {
    if (*format == ' ' || (*format >= '\t' && *format <= '\r')) {
      text = skip_blanks(text);
    } else if (*format != '%') {
      text = *text == *format ? text + 1 : 0;
    } else {
      format++;
      while (*format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == '#') format++;
      text = read_one(text, *format, date, seen);
    }
  }
  return text;
}
// Days from the beginning of the year to that of the month.
static int days_before(int month, int64_t year) {
  static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
  _Bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return before[month] + (month > 1 && leap);
}

// From what was read: the month and the day of the month from that of the year, then the day of the week and that of the year.
// A month that neither the text nor the program has set is left alone, as glibc does it.
static void derive(struct tm* date, const struct seen* seen) {
  int64_t year = (int64_t)date->tm_year + 1900;
  if (!seen->day_of_week) {
    if (seen->day_of_year && !(seen->month && seen->day)) {
      int month = 0;
      while (month < 11 && days_before(month + 1, year) <= date->tm_yday) month++;
      if (!seen->month) date->tm_mon = month;
      if (!seen->day) date->tm_mday = date->tm_yday - days_before(month, year) + 1;
    }
    if (date->tm_mon < 0 || date->tm_mon > 11) return;
    int64_t before = year + 399;  // whole years since the Monday that began the year -399; 400 years are whole weeks
    int64_t days = before * 365 + before / 4 - before / 100 + before / 400 + days_before(date->tm_mon, year) + date->tm_mday;
    date->tm_wday = (int)((days % 7 + 7) % 7);
  }
  if (!seen->day_of_year && date->tm_mon >= 0 && date->tm_mon <= 11)
    date->tm_yday = (int)((unsigned)days_before(date->tm_mon, year) + (unsigned)date->tm_mday - 1);  // the day may be unset, too
}
char* strptime(const char* text, const char* format, struct tm* date) {
  struct seen seen = {.century = -1};
  const char* end = read_all(text, format, date, &seen);
  if (!end) return 0;
  if (seen.half_day && seen.afternoon) date->tm_hour += 12;
  if (seen.century >= 0) date->tm_year = (seen.short_year ? date->tm_year % 100 : 0) + (seen.century - 19) * 100;
  if (seen.date) derive(date, &seen);
  return (char*)end;
}
