/* window_lift: an electric window lift for cars.
 *
 * A state machine in `mode` drives the motor. Three interrupts: INT0 is the driver's switch, INT1 the sensor that
 * reports an object stuck in the window, and timer 1 (16 bits) moves the position counter while the motor runs.
 *
 * When an object is stuck (mode 5) the window must open completely (mode 6) before it takes orders again (mode 0).
 * The handler of the switch stops whatever is going on, though, and so skips mode 6 when it comes right after the
 * sensor's.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

/* Values of mode. */
#define MODE_IDLE 0
#define MODE_OPENING 1
#define MODE_CLOSING 2
#define MODE_AUTO_OPEN 3
#define MODE_AUTO_CLOSE 4
#define MODE_STUCK 5
#define MODE_RELEASE 6

/* Motor outputs on port B. */
#define MOTOR_UP 0x01
#define MOTOR_DOWN 0x02
#define MOTOR_FAST 0x04
#define LAMP_STUCK 0x08

/* Switch inputs on port A. */
#define SWITCH_UP 0x01
#define SWITCH_DOWN 0x02
#define SWITCH_AUTO 0x04

/* Position of the window: 0 is closed. */
#define CLOSED 0
#define OPEN 9
#define SLOW_ZONE 2

#define MAX_RUN 12
#define RELEASE_PAUSE 3

volatile uint8_t mode = MODE_IDLE;
volatile uint8_t position = CLOSED;
volatile uint8_t moved;
volatile uint8_t request;
uint8_t run_time;
uint8_t pause;
uint8_t stuck_count;
uint8_t report[3];

/* The driver's switch: a new order, or a stop while the window moves. */
ISR(INT0_vect) {
  uint8_t inputs = PINA & (SWITCH_UP | SWITCH_DOWN | SWITCH_AUTO);
  if (mode == MODE_RELEASE) return;
  if (mode != MODE_IDLE) {
    mode = MODE_IDLE; /* the error: mode may be MODE_STUCK here */
    request = 0;
    return;
  }
  request = inputs;
}

/* An object is stuck: only while closing. */
ISR(INT1_vect) {
  if (mode == MODE_CLOSING || mode == MODE_AUTO_CLOSE) {
    mode = MODE_STUCK;
    request = 0;
    PORTB = LAMP_STUCK;
  }
}

/* One step of the window while the motor runs. */
ISR(TIMER1_OVF_vect) {
  uint8_t motor = PORTB;
  TCNT1 = 0x8000;
  if (motor & MOTOR_DOWN) {
    if (position < OPEN) position++;
    moved = 1;
  } else if (motor & MOTOR_UP) {
    if (position > CLOSED) position--;
    moved = 1;
  }
}

static void setup(void) {
  DDRA = 0x00;
  PORTA = SWITCH_UP | SWITCH_DOWN | SWITCH_AUTO;
  DDRB = MOTOR_UP | MOTOR_DOWN | MOTOR_FAST | LAMP_STUCK;
  PORTB = 0;
  DDRD = 0x00;
  MCUCR = _BV(ISC01) | _BV(ISC00) | _BV(ISC11) | _BV(ISC10);
  GICR = _BV(INT0) | _BV(INT1);
  TCCR1A = 0;
  TCCR1B = _BV(CS11);
  TCNT1 = 0x8000;
  TIMSK = _BV(TOIE1);
}

static uint8_t speed(void) {
  if (position <= CLOSED + SLOW_ZONE || position >= OPEN - SLOW_ZONE) return 0;
  return MOTOR_FAST;
}

static void motor_up(void) { PORTB = MOTOR_UP | speed(); }
static void motor_down(void) { PORTB = MOTOR_DOWN | speed(); }
static void motor_stop(void) { PORTB = 0; }

static void start(uint8_t next) {
  mode = next;
  run_time = 0;
  request = 0;
}

static void stop(void) {
  mode = MODE_IDLE;
  run_time = 0;
  motor_stop();
}

/* A motor that runs for longer than the window is high has lost its window. */
static uint8_t overrun(void) {
  if (moved) {
    moved = 0;
    if (run_time < MAX_RUN) run_time++;
  }
  return run_time >= MAX_RUN;
}

static void idle(void) {
  motor_stop();
  moved = 0;
  run_time = 0;
  if (request & SWITCH_UP) {
    if (position != CLOSED) start(request & SWITCH_AUTO ? MODE_AUTO_CLOSE : MODE_CLOSING);
  } else if (request & SWITCH_DOWN) {
    if (position != OPEN) start(request & SWITCH_AUTO ? MODE_AUTO_OPEN : MODE_OPENING);
  }
  request = 0;
}

static void opening(void) {
  if (position == OPEN || overrun()) stop();
  else motor_down();
}

static void closing(void) {
  if (position == CLOSED || overrun()) stop();
  else motor_up();
}

/* Without the automatic, the window moves while the switch is held. */
static uint8_t held(uint8_t mask) { return PINA & mask; }

static void manual_opening(void) {
  if (!held(SWITCH_DOWN)) stop();
  else opening();
}

static void manual_closing(void) {
  if (!held(SWITCH_UP)) stop();
  else closing();
}

static void log_event(uint8_t kind) {
  report[2] = report[1];
  report[1] = report[0];
  report[0] = kind;
}

static void stuck(void) {
  if (stuck_count < 1) stuck_count++;
  log_event(stuck_count);
  pause = RELEASE_PAUSE;
  run_time = 0;
  moved = 0;
  mode = MODE_RELEASE;
}

static void release(void) {
  if (pause > 0) {
    pause--;
    return;
  }
  PORTB = MOTOR_DOWN | LAMP_STUCK;
  overrun();
  if (position == OPEN) {
    stop();
    stuck_count = 0;
  }
}

/* The indicator next to the switch: a pattern from mode and position, computed anew every time. */
static uint8_t indicator(void) {
  uint8_t pattern = 0;
  for (uint8_t i = 0; i < 8; i++) {
    pattern <<= 1;
    if (i < position) pattern |= 1;
    if (i == mode) pattern ^= 1;
  }
  return pattern;
}

static void control(void) {
  switch (mode) {
    case MODE_IDLE:
      idle();
      break;
    case MODE_OPENING:
      manual_opening();
      break;
    case MODE_CLOSING:
      manual_closing();
      break;
    case MODE_AUTO_OPEN:
      opening();
      break;
    case MODE_AUTO_CLOSE:
      closing();
      break;
    case MODE_STUCK:
      stuck();
      break;
    case MODE_RELEASE:
      release();
      break;
  }
}

int main(void) {
  setup();
  DDRC = 0xff;
  for (;;) {
    /* Orders, sensor and timer are served here. */
    sei();
    asm volatile("nop");
    asm volatile("nop");
    cli();
    control();
    PORTC = indicator();
  }
}
