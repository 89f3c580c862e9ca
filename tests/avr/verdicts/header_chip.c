// A chip that is known from the headers of avr-libc only: its timers and interrupts are there, an interrupt flag of timer 1
// lies in another register than the others, and no pin is known to be left alone by the transmitter.
// mcu: atmega128
// ask: AG(ticks <= 1) => holds
// ask: EF(ticks == 1) => holds
// ask: EF(third == 1) => holds
// ask: AG(plain) => holds
// ask: AG(!driven) => fails
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint8_t ticks, third, plain = 1, driven;

ISR(TIMER0_OVF_vect) {
  ticks++;
  TIMSK = 0;
}
ISR(TIMER1_COMPC_vect) {
  third = 1;
  ETIMSK = 0;
}

int main(void) {
  DDRA = 1;
  PORTA = 1;
  asm volatile("nop");
  plain = PINA & 1;
  UCSR1B = 1 << TXEN1;
  if (!(PINA & 1)) driven = 1;
  TIMSK = 1 << TOIE0;
  ETIMSK = 1 << OCIE1C;
  TCCR0 = 1;
  TCCR1B = 1;
  sei();
  for (;;) {
  }
}
