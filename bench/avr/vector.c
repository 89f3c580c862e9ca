/* vector: operations on integer vectors, with inputs from the environment.
 *
 * In a loop that never ends the program reads a vector of three components from ports A, B and C and computes with it
 * what is usually computed with vectors: norms, products, projections, rotations, sorting, filters, interpolation.
 * A digest of the results goes to port D; it is cleared, like everything else, before the next vector is read. There are long computations
 * between two inputs, and no interrupts: what path reduction is good at.
 */
#include <avr/io.h>
#include <stdint.h>

#define COMPONENT 0x03
#define SIZE 3
#define SAMPLES 8

typedef int16_t scalar;

typedef struct {
  scalar c[SIZE];
} vec;

typedef struct {
  vec row[SIZE];
} matrix;

/* ---- results of the last round, cleared before the next ---- */

struct results {
  scalar dot;
  scalar norm1;
  scalar norm_max;
  uint16_t norm2;
  uint16_t distance;
  vec cross;
  vec unit;
  vec projected;
  vec rotated;
  vec sorted;
  vec mirrored;
  vec clamped;
  scalar determinant;
  scalar triple;
  scalar mean;
  uint16_t variance;
  uint8_t checksum;
  uint8_t angle;
  uint8_t octant;
};

vec input;
struct results result;
scalar samples[SAMPLES];
scalar smooth[SAMPLES];

const vec axis = {{3, -2, 5}};
const vec normal = {{1, 2, 2}};
const matrix turn = {{{{0, -1, 0}}, {{1, 0, 0}}, {{0, 0, 1}}}};

/* ---- scalars ---- */

static scalar absolute(scalar x) { return x < 0 ? -x : x; }

static scalar smaller(scalar a, scalar b) { return a < b ? a : b; }

static scalar larger(scalar a, scalar b) { return a > b ? a : b; }

static scalar clamp(scalar x, scalar low, scalar high) {
  if (x < low) return low;
  if (x > high) return high;
  return x;
}

static int8_t sign(scalar x) { return x < 0 ? -1 : x > 0; }

/* Rounds towards the nearest integer, halves away from zero. */
static scalar divide(scalar a, scalar b) {
  scalar half;
  if (b == 0) return 0;
  half = absolute(b) / 2;
  return (a < 0) == (b < 0) ? (absolute(a) + half) / absolute(b) : -((absolute(a) + half) / absolute(b));
}

/* Integer square root, bit by bit. */
static uint16_t square_root(uint16_t x) {
  uint16_t root = 0, bit = 1u << 14;
  while (bit > x) bit >>= 2;
  while (bit != 0) {
    if (x >= root + bit) {
      x -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  return root;
}

static uint16_t greatest_divisor(uint16_t a, uint16_t b) {
  while (b != 0) {
    uint16_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* ---- vectors ---- */

static void set(vec *v, scalar x, scalar y, scalar z) {
  v->c[0] = x;
  v->c[1] = y;
  v->c[2] = z;
}

static void copy(vec *to, const vec *from) {
  for (uint8_t i = 0; i < SIZE; i++) to->c[i] = from->c[i];
}

static void add(vec *to, const vec *v) {
  for (uint8_t i = 0; i < SIZE; i++) to->c[i] += v->c[i];
}

static void subtract(vec *to, const vec *v) {
  for (uint8_t i = 0; i < SIZE; i++) to->c[i] -= v->c[i];
}

static void scale(vec *v, scalar factor, scalar divisor) {
  for (uint8_t i = 0; i < SIZE; i++) v->c[i] = divide(v->c[i] * factor, divisor);
}

static scalar dot(const vec *a, const vec *b) {
  scalar sum = 0;
  for (uint8_t i = 0; i < SIZE; i++) sum += a->c[i] * b->c[i];
  return sum;
}

static void cross(vec *to, const vec *a, const vec *b) {
  for (uint8_t i = 0; i < SIZE; i++) {
    uint8_t j = (i + 1) % SIZE, k = (i + 2) % SIZE;
    to->c[i] = a->c[j] * b->c[k] - a->c[k] * b->c[j];
  }
}

static scalar norm1(const vec *v) {
  scalar sum = 0;
  for (uint8_t i = 0; i < SIZE; i++) sum += absolute(v->c[i]);
  return sum;
}

static scalar norm_max(const vec *v) {
  scalar most = 0;
  for (uint8_t i = 0; i < SIZE; i++) most = larger(most, absolute(v->c[i]));
  return most;
}

static uint16_t norm2(const vec *v) { return square_root((uint16_t)dot(v, v)); }

static uint16_t distance(const vec *a, const vec *b) {
  vec difference;
  copy(&difference, a);
  subtract(&difference, b);
  return norm2(&difference);
}

/* Length 64, as exactly as integers allow. */
static void normalise(vec *v) {
  uint16_t length = norm2(v);
  if (length != 0) scale(v, 64, (scalar)length);
}

/* Onto the plane through the origin with the given normal. */
static void project(vec *to, const vec *v, const vec *n) {
  vec part;
  copy(&part, n);
  scale(&part, dot(v, n), dot(n, n));
  copy(to, v);
  subtract(to, &part);
}

static void mirror(vec *to, const vec *v, const vec *n) {
  vec part;
  copy(&part, n);
  scale(&part, 2 * dot(v, n), dot(n, n));
  copy(to, v);
  subtract(to, &part);
}

static void clamp_all(vec *v, scalar low, scalar high) {
  for (uint8_t i = 0; i < SIZE; i++) v->c[i] = clamp(v->c[i], low, high);
}

static void sort(vec *v) {
  for (uint8_t i = 1; i < SIZE; i++) {
    scalar x = v->c[i];
    uint8_t j = i;
    while (j > 0 && v->c[j - 1] > x) {
      v->c[j] = v->c[j - 1];
      j--;
    }
    v->c[j] = x;
  }
}

/* The smallest integer vector in the same direction. */
static void reduce(vec *v) {
  uint16_t divisor = 0;
  for (uint8_t i = 0; i < SIZE; i++) divisor = greatest_divisor((uint16_t)absolute(v->c[i]), divisor);
  if (divisor > 1)
    for (uint8_t i = 0; i < SIZE; i++) v->c[i] /= (scalar)divisor;
}

static uint8_t octant(const vec *v) {
  uint8_t which = 0;
  for (uint8_t i = 0; i < SIZE; i++) {
    which <<= 1;
    if (sign(v->c[i]) < 0) which |= 1;
  }
  return which;
}

/* ---- matrices ---- */

static void apply(vec *to, const matrix *m, const vec *v) {
  for (uint8_t i = 0; i < SIZE; i++) to->c[i] = dot(&m->row[i], v);
}

static void multiply(matrix *to, const matrix *a, const matrix *b) {
  for (uint8_t i = 0; i < SIZE; i++)
    for (uint8_t j = 0; j < SIZE; j++) {
      scalar sum = 0;
      for (uint8_t k = 0; k < SIZE; k++) sum += a->row[i].c[k] * b->row[k].c[j];
      to->row[i].c[j] = sum;
    }
}

static scalar determinant(const matrix *m) {
  vec minor;
  cross(&minor, &m->row[1], &m->row[2]);
  return dot(&m->row[0], &minor);
}

/* Rotations about the third axis by quarters of a circle. */
static void rotate(vec *to, const vec *v, uint8_t quarters) {
  matrix all = turn, next;
  while (quarters-- > 0) {
    multiply(&next, &all, &turn);
    all = next;
  }
  apply(to, &all, v);
}

static void diagonal(matrix *m, const vec *v) {
  for (uint8_t i = 0; i < SIZE; i++)
    for (uint8_t j = 0; j < SIZE; j++) m->row[i].c[j] = i == j ? v->c[i] : 1;
}

/* ---- sequences ---- */

/* A line from the origin to the vector's end, seen along the axis. */
static void sample(const vec *v) {
  for (uint8_t i = 0; i < SAMPLES; i++) {
    vec point;
    copy(&point, v);
    scale(&point, i, SAMPLES - 1);
    samples[i] = dot(&point, &axis);
  }
}

static void smoothen(void) {
  for (uint8_t i = 0; i < SAMPLES; i++) {
    scalar before = samples[i == 0 ? 0 : i - 1];
    scalar after = samples[i == SAMPLES - 1 ? i : i + 1];
    smooth[i] = divide(before + 2 * samples[i] + after, 4);
  }
}

static scalar mean(const scalar *values) {
  scalar sum = 0;
  for (uint8_t i = 0; i < SAMPLES; i++) sum += values[i];
  return divide(sum, SAMPLES);
}

static uint16_t variance(const scalar *values) {
  scalar middle = mean(values);
  uint16_t sum = 0;
  for (uint8_t i = 0; i < SAMPLES; i++) {
    scalar d = absolute(values[i] - middle);
    sum += (uint16_t)(d * d);
  }
  return sum / SAMPLES;
}

/* The angle to the axis as an index into a circle of 64 steps, by comparing slopes. */
static uint8_t angle(const vec *v) {
  scalar along = dot(v, &axis);
  vec across;
  uint16_t away;
  uint8_t step = 0;
  cross(&across, v, &axis);
  away = norm2(&across);
  while (step < 16 && (uint16_t)(absolute(along) * (scalar)step) < away * (16u - step)) step++;
  return along < 0 ? 32 - step : step;
}

static uint8_t checksum(const uint8_t *bytes, uint8_t count) {
  uint8_t crc = 0xff;
  while (count-- > 0) {
    crc ^= *bytes++;
    for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8c : crc >> 1;
  }
  return crc;
}

/* ---- the program ---- */

static __attribute__((noinline)) void clear(void) {
  uint8_t *p = (uint8_t *)&result;
  for (uint8_t i = 0; i < sizeof result; i++) p[i] = 0;
  for (uint8_t i = 0; i < SAMPLES; i++) samples[i] = smooth[i] = 0;
  set(&input, 0, 0, 0);
  PORTD = 0;
}

static __attribute__((noinline)) void read_input(void) {
  input.c[0] = (scalar)(PINA & COMPONENT) - 1;
  input.c[1] = (scalar)(PINB & COMPONENT) - 1;
  input.c[2] = (scalar)(PINC & COMPONENT) - 1;
}

static __attribute__((noinline)) void compute(void) {
  matrix m;
  result.dot = dot(&input, &axis);
  result.norm1 = norm1(&input);
  result.norm_max = norm_max(&input);
  result.norm2 = norm2(&input);
  result.distance = distance(&input, &axis);
  cross(&result.cross, &input, &axis);
  reduce(&result.cross);
  copy(&result.unit, &input);
  normalise(&result.unit);
  project(&result.projected, &input, &normal);
  mirror(&result.mirrored, &input, &normal);
  rotate(&result.rotated, &input, 2);
  copy(&result.sorted, &input);
  sort(&result.sorted);
  copy(&result.clamped, &input);
  add(&result.clamped, &normal);
  clamp_all(&result.clamped, -2, 3);
  diagonal(&m, &input);
  result.determinant = determinant(&m);
  result.triple = dot(&result.cross, &normal);
  sample(&input);
  smoothen();
  result.mean = mean(smooth);
  result.variance = variance(smooth);
  result.angle = angle(&input);
  result.octant = octant(&input);
  result.checksum = checksum((const uint8_t *)&result, sizeof result);
}

int main(void) {
  DDRA = DDRB = DDRC = 0x00;
  DDRD = 0xff;
  for (;;) {
    clear();
    read_input();
    compute();
    PORTD = result.checksum ^ (uint8_t)smaller(result.norm1, result.norm_max);
  }
}
