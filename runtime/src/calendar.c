// Dates: seconds since 1970 to years, months, days, and back. The time zone is UTC, whatever TZ says (an assumption of the
// verdict, where it is used), and there are no leap seconds.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "primitives.h"

static char zone[] = "UTC";
char* tzname[2] = {zone, zone};
long timezone = 0;
int daylight = 0;
void tzset(void) {}

// Days since 1970-01-01 of a date in the proleptic Gregorian calendar; months from 0, days from 1. Years begin in March,
// so that the leap day is the last one; 400 years have 146,097 days.
static int64_t days_of(int64_t year, int month, int64_t day) {
  if (month < 2) year--;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month >= 2 ? -2 : 10)) + 2) / 5;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year + day - 1 - 719468;
}
static _Bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static struct tm* split(int64_t seconds, struct tm* result) {
  int64_t days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, days--;
  int64_t shifted = days + 719468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int64_t day_of_era = shifted - era * 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted_month = (5 * day_of_year + 2) / 153;
  int month = (int)(shifted_month < 10 ? shifted_month + 2 : shifted_month - 10);
  int64_t year = year_of_era + era * 400 + (month < 2);
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
    errno = EOVERFLOW;
    return 0;
  }
  int64_t weekday = (days + 4) % 7;
  result->tm_sec = (int)(rest % 60);
  result->tm_min = (int)(rest / 60 % 60);
  result->tm_hour = (int)(rest / 3600);
  result->tm_mday = (int)(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  result->tm_mon = month;
  result->tm_year = (int)(year - 1900);
  result->tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
  result->tm_yday = (int)(days - days_of(year, 0, 1));
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = "GMT";
  return result;
}

static struct tm shared;  // what the functions without _r return
struct tm* gmtime_r(const time_t* when, struct tm* result) { return split((int64_t)*when, result); }
struct tm* localtime_r(const time_t* when, struct tm* result) {
  struct tm* local = split((int64_t)*when, result);
  if (local) local->tm_zone = zone;
  return local;
}
struct tm* gmtime(const time_t* when) { return gmtime_r(when, &shared); }
struct tm* localtime(const time_t* when) { return localtime_r(when, &shared); }

time_t timegm(struct tm* date) {
  int64_t month = date->tm_mon % 12, year = (int64_t)date->tm_year + 1900 + date->tm_mon / 12;
  if (month < 0) month += 12, year--;
  int64_t seconds = days_of(year, (int)month, date->tm_mday) * 86400 + (int64_t)date->tm_hour * 3600 +
                    (int64_t)date->tm_min * 60 + date->tm_sec;
  if ((int64_t)(time_t)seconds != seconds || !split(seconds, date)) {
    errno = EOVERFLOW;
    return -1;
  }
  return (time_t)seconds;
}
time_t mktime(struct tm* date) {
  time_t seconds = timegm(date);
  if (seconds != -1 || date->tm_wday >= 0) date->tm_zone = zone;
  return seconds;
}
time_t timelocal(struct tm* date) { return mktime(date); }
int dysize(int year) { return is_leap(year) ? 366 : 365; }

static const char* const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char* const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

// The text of a conversion goes here first; only what fits is copied.
struct text {
  char* to;
  size_t room, used;
  _Bool full;
};
static void put(struct text* text, char c) {
  if (text->used >= text->room) text->full = 1;
  if (text->full) return;
  text->to[text->used++] = c;
}
static void put_text(struct text* text, const char* s, int limit) {
  for (; *s && limit > 0; s++, limit--) put(text, *s);
}
static void put_number(struct text* text, int64_t n, int width, char fill) {
  char digits[20];
  int count = 0;
  uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
  do digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (n < 0) {
    width--;
    if (fill == '0') put(text, '-');
  }
  if (fill)
    for (int i = count; i < width; i++) put(text, fill);
  if (n < 0 && fill != '0') put(text, '-');
  while (count) put(text, digits[--count]);
}

// The week that a day belongs to in ISO 8601: weeks begin on Monday and belong to the year of their Thursday.
static int iso_week(const struct tm* date, int64_t* year) {
  int64_t own = (int64_t)date->tm_year + 1900;
  int since_monday = (date->tm_wday + 6) % 7;
  int week = (date->tm_yday + 10 - since_monday) / 7;
  *year = own;
  if (week == 0) {
    *year = own - 1;
    return (date->tm_yday + (is_leap(own - 1) ? 366 : 365) + 10 - since_monday) / 7;
  }
  int length = is_leap(own) ? 366 : 365;
  if (week == 53 && date->tm_yday - since_monday + 3 >= length) {
    *year = own + 1;
    return 1;
  }
  return week;
}

static void convert(struct text* text, const char* format, const struct tm* date);
static void put_date(struct text* text, char conversion, const struct tm* date) {
  int64_t year = (int64_t)date->tm_year + 1900, week_year = 0;
  int hour12 = date->tm_hour % 12 == 0 ? 12 : date->tm_hour % 12;
  _Bool weekday = date->tm_wday >= 0 && date->tm_wday < 7, month = date->tm_mon >= 0 && date->tm_mon < 12;
  switch (conversion) {
    case 'a': return put_text(text, weekday ? weekdays[date->tm_wday] : "?", 3);
    case 'A': return put_text(text, weekday ? weekdays[date->tm_wday] : "?", 20);
    case 'b':
    case 'h': return put_text(text, month ? months[date->tm_mon] : "?", 3);
    case 'B': return put_text(text, month ? months[date->tm_mon] : "?", 20);
    case 'c': return convert(text, "%a %b %e %H:%M:%S %Y", date);
    case 'C': return put_number(text, year / 100 - (year % 100 < 0), 1, '0');
    case 'd': return put_number(text, date->tm_mday, 2, '0');
    case 'D':
    case 'x': return convert(text, "%m/%d/%y", date);
    case 'e': return put_number(text, date->tm_mday, 2, ' ');
    case 'F': return convert(text, "%Y-%m-%d", date);
    case 'g': iso_week(date, &week_year); return put_number(text, (week_year % 100 + 100) % 100, 2, '0');
    case 'G': iso_week(date, &week_year); return put_number(text, week_year, 1, '0');
    case 'H': return put_number(text, date->tm_hour, 2, '0');
    case 'I': return put_number(text, hour12, 2, '0');
    case 'j': return put_number(text, date->tm_yday + 1, 3, '0');
    case 'k': return put_number(text, date->tm_hour, 2, ' ');
    case 'l': return put_number(text, hour12, 2, ' ');
    case 'm': return put_number(text, date->tm_mon + 1, 2, '0');
    case 'M': return put_number(text, date->tm_min, 2, '0');
    case 'n': return put(text, '\n');
    case 'p': return put_text(text, date->tm_hour > 11 ? "PM" : "AM", 2);
    case 'P': return put_text(text, date->tm_hour > 11 ? "pm" : "am", 2);
    case 'r': return convert(text, "%I:%M:%S %p", date);
    case 'R': return convert(text, "%H:%M", date);
    case 'S': return put_number(text, date->tm_sec, 2, '0');
    case 't': return put(text, '\t');
    case 'T':
    case 'X': return convert(text, "%H:%M:%S", date);
    case 'u': return put_number(text, (date->tm_wday + 6) % 7 + 1, 1, '0');
    case 'U': return put_number(text, (date->tm_yday + 7 - date->tm_wday) / 7, 2, '0');
    case 'V': return put_number(text, iso_week(date, &week_year), 2, '0');
    case 'w': return put_number(text, date->tm_wday, 1, '0');
    case 'W': return put_number(text, (date->tm_yday + 7 - (date->tm_wday + 6) % 7) / 7, 2, '0');
    case 'y': return put_number(text, (year % 100 + 100) % 100, 2, '0');
    case 'Y': return put_number(text, year, 1, '0');
    case 'z': return put_text(text, "+0000", 5);
    case 'Z': return put_text(text, date->tm_zone ? date->tm_zone : "", 20);
    case '%': return put(text, '%');
    default: __whittle_unsupported("strftime with a conversion beyond C17's");
  }
}
static void convert(struct text* text, const char* format, const struct tm* date) {
  for (; *format; format++) {
    if (*format != '%') {
      put(text, *format);
      continue;
    }
    format++;
    if (*format == 'E' || *format == 'O') format++;
    if (*format == 's') {
      struct tm copy = *date;
      put_number(text, (int64_t)timegm(&copy), 1, '0');
      continue;
    }
    put_date(text, *format, date);
  }
}
size_t strftime(char* to, size_t size, const char* format, const struct tm* date) {
  struct text text = {to, size, 0, 0};
  convert(&text, format, date);
  if (text.used >= size) return 0;
  to[text.used] = 0;
  return text.used;
}

char* asctime_r(const struct tm* date, char* to) {
  struct text text = {to, 26, 0, 0};
  put_date(&text, 'a', date);
  put(&text, ' ');
  put_date(&text, 'b', date);
  put_number(&text, date->tm_mday, 3, ' ');
  put(&text, ' ');
  convert(&text, "%H:%M:%S", date);
  put(&text, ' ');
  put_number(&text, (int64_t)date->tm_year + 1900, 1, '0');
  put(&text, '\n');
  if (text.used >= 26) {
    errno = EOVERFLOW;
    return 0;
  }
  to[text.used] = 0;
  return to;
}
char* asctime(const struct tm* date) {
  static char text[26];
  return asctime_r(date, text);
}
char* ctime_r(const time_t* when, char* to) {
  struct tm date;
  return localtime_r(when, &date) ? asctime_r(&date, to) : 0;
}
char* ctime(const time_t* when) {
  struct tm* date = localtime(when);
  return date ? asctime(date) : 0;
}
