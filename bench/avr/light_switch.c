/* light_switch: a reactive electrical switch.
 *
 * A push button on PA0 switches a lamp on PB0; holding it dims the lamp. A motion sensor on PA1 keeps the light on.
 * Two hardware timers, no interrupts: timer 0 gives the time base for debouncing the button, timer 1 switches the
 * light off when nobody has moved for a while. Both are polled through their overflow flags.
 */
#include <avr/io.h>
#include <stdint.h>

#define BUTTON PA0
#define MOTION PA1
#define LAMP PB0
#define DIMMED PB1
#define NIGHT_LIGHT PB2

#define DEBOUNCE_TICKS 3
#define HOLD_TICKS 5
#define OFF_DELAY 4

enum light_state { LIGHT_OFF, LIGHT_ON, LIGHT_DIMMED, LIGHT_LEAVING };
enum button_state { RELEASED, PRESSING, PRESSED, HELD, RELEASING };

uint8_t light = LIGHT_OFF;
uint8_t button = RELEASED;
uint8_t ticks;
uint8_t delay;
uint8_t event_short, event_long;

static void setup(void) {
  DDRA = 0x00;
  PORTA = _BV(BUTTON);
  DDRB = _BV(LAMP) | _BV(DIMMED) | _BV(NIGHT_LIGHT);
  PORTB = _BV(NIGHT_LIGHT);
  TCCR0 = _BV(CS02);
  TCCR1A = 0;
  TCCR1B = _BV(CS12) | _BV(CS10);
}

static uint8_t tick(void) {
  if (!(TIFR & _BV(TOV0))) return 0;
  TIFR = _BV(TOV0);
  return 1;
}

static uint8_t long_tick(void) {
  if (!(TIFR & _BV(TOV1))) return 0;
  TIFR = _BV(TOV1);
  return 1;
}

/* The button pulls its pin down. */
static uint8_t down(void) { return !(PINA & _BV(BUTTON)); }

static void scan_button(void) {
  uint8_t is_down = down();
  switch (button) {
    case RELEASED:
      if (is_down) {
        button = PRESSING;
        ticks = 0;
      }
      break;
    case PRESSING:
      if (!is_down) {
        button = RELEASED;
        ticks = 0;
      } else if (++ticks >= DEBOUNCE_TICKS) {
        button = PRESSED;
        ticks = 0;
      }
      break;
    case PRESSED:
      if (!is_down) {
        button = RELEASING;
        ticks = 0;
        event_short = 1;
      } else if (++ticks >= HOLD_TICKS) {
        button = HELD;
        ticks = 0;
        event_long = 1;
      }
      break;
    case HELD:
      if (!is_down) {
        button = RELEASING;
        ticks = 0;
      }
      break;
    case RELEASING:
      if (is_down) {
        ticks = 0;
      } else if (++ticks >= DEBOUNCE_TICKS) {
        button = RELEASED;
        ticks = 0;
      }
      break;
    default:
      button = RELEASED;
      break;
  }
}

static void show(void) {
  switch (light) {
    case LIGHT_OFF:
      PORTB = _BV(NIGHT_LIGHT);
      break;
    case LIGHT_ON:
      PORTB = _BV(LAMP);
      break;
    case LIGHT_DIMMED:
      PORTB = _BV(DIMMED);
      break;
    case LIGHT_LEAVING:
      PORTB = _BV(DIMMED) | _BV(NIGHT_LIGHT);
      break;
  }
}

static void control(void) {
  switch (light) {
    case LIGHT_OFF:
      if (event_short || event_long) {
        light = event_long ? LIGHT_DIMMED : LIGHT_ON;
        delay = OFF_DELAY;
      }
      break;
    case LIGHT_ON:
      if (event_short) light = LIGHT_OFF;
      else if (event_long) light = LIGHT_DIMMED;
      else if (delay == 0) light = LIGHT_LEAVING;
      break;
    case LIGHT_DIMMED:
      if (event_short) light = LIGHT_OFF;
      else if (event_long) light = LIGHT_ON;
      else if (delay == 0) light = LIGHT_LEAVING;
      break;
    case LIGHT_LEAVING:
      if (event_short) {
        light = LIGHT_ON;
        delay = OFF_DELAY;
      } else {
        light = LIGHT_OFF;
      }
      break;
  }
  event_short = event_long = 0;
  if (light == LIGHT_OFF) delay = 0;
}

int main(void) {
  setup();
  for (;;) {
    if (tick()) scan_button();
    if (light != LIGHT_OFF && long_tick()) {
      if (PINA & _BV(MOTION)) delay = OFF_DELAY;
      else if (delay > 0) delay--;
    }
    control();
    show();
  }
}
