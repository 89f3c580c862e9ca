/* plant: control of a fictive chemical plant.
 *
 * A tank is filled by a pump, heated, and drained. The level sensor reports changes on INT1; the emergency button is on
 * INT0. Timer 0 paces the process. In an emergency everything stops and only the siren (PORTA = 0x20) is on, for good -
 * that, at least, is the intention: the timer's handler does not know about emergencies.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#define PUMP 0x01
#define HEATER 0x02
#define MIXER 0x04
#define DRAIN 0x08
#define LAMP_READY 0x10
#define SIREN 0x20

#define FULL 4
#define EMPTY 0
#define HEATING_TIME 6
#define MIXING_TIME 4
#define SETTLE_TIME 3

enum phase { IDLE, FILLING, HEATING, MIXING, SETTLING, DRAINING, STOPPED };

volatile uint8_t tank;
volatile uint8_t phase = IDLE;
volatile uint8_t emergency;
volatile uint8_t due;
uint8_t timer;
uint8_t batches;
uint8_t checksum;

/* Emergency button. */
ISR(INT0_vect) {
  emergency = 1;
  phase = STOPPED;
  timer = 0;
  PORTA = SIREN;
}

/* The level has changed by one: up while the pump runs, down while the drain is open. */
ISR(INT1_vect) {
  uint8_t out = PORTA;
  if (out & PUMP) {
    if (tank < FULL) tank++;
  } else if (out & DRAIN) {
    if (tank > EMPTY) tank--;
  }
}

/* Pace of the process: the next step is due, and the ready lamp blinks. */
ISR(TIMER0_OVF_vect) {
  due = 1;
  if (phase == IDLE || batches > 2) PORTA ^= LAMP_READY;
}

static void setup(void) {
  DDRA = 0xff;
  PORTA = 0x00;
  DDRD = 0x00;
  MCUCR = _BV(ISC01) | _BV(ISC11);
  GICR = _BV(INT0) | _BV(INT1);
  TCCR0 = _BV(CS02) | _BV(CS00);
  TIMSK = _BV(TOIE0);
}

static void enter(uint8_t next, uint8_t outputs, uint8_t duration) {
  phase = next;
  timer = duration;
  PORTA = (PORTA & LAMP_READY) | outputs;
}

static uint8_t start_button(void) { return PIND & _BV(PD0); }

static void fill(void) {
  if (tank == FULL) enter(HEATING, HEATER, HEATING_TIME);
}

static void heat(void) {
  if (timer > 0) timer--;
  else enter(MIXING, HEATER | MIXER, MIXING_TIME);
}

static void mix(void) {
  if (timer > 0) timer--;
  else enter(SETTLING, 0, SETTLE_TIME);
}

static void settle(void) {
  if (timer > 0) timer--;
  else enter(DRAINING, DRAIN, 0);
}

static void drain(void) {
  if (tank != EMPTY) return;
  batches = (batches + 1) & 3;
  enter(IDLE, 0, 0);
}

/* A digest of the last outputs, kept for the service technician. */
static void account(void) {
  uint8_t value = PORTA ^ (uint8_t)(phase << 4);
  uint8_t crc = 0;
  for (uint8_t i = 0; i < 8; i++) {
    uint8_t mix = (crc ^ value) & 1;
    crc >>= 1;
    if (mix) crc ^= 0x8c;
    value >>= 1;
  }
  checksum = crc;
}

static void process(void) {
  switch (phase) {
    case IDLE:
      if (start_button()) enter(FILLING, PUMP, 0);
      break;
    case FILLING:
      fill();
      break;
    case HEATING:
      heat();
      break;
    case MIXING:
      mix();
      break;
    case SETTLING:
      settle();
      break;
    case DRAINING:
      drain();
      break;
    case STOPPED:
      break;
  }
}

int main(void) {
  setup();
  for (;;) {
    /* Interrupts are taken here, between two steps of the process. */
    sei();
    asm volatile("nop");
    cli();
    if (emergency && PORTA == SIREN) continue;
    if (due) {
      due = 0;
      process();
    }
    account();
  }
}
