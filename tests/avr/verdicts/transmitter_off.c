// The last byte is sent after TXEN was cleared; the data register is empty with the transmitter off, too.
// mcu: atmega328p
// ask: AG(off -> !sent) => fails
// ask: EF(empty) => holds
// ask: AG(sent -> off) => holds
#include <avr/interrupt.h>
#include <avr/io.h>
volatile uint8_t off, sent, empty;
ISR(USART_TX_vect) { sent = 1; }
ISR(USART_UDRE_vect) {
  empty = 1;
  UCSR0B = 0;
}
int main(void) {
  sei();
  UCSR0B = _BV(UDRIE0);
  while (!empty) {
  }
  cli();
  UCSR0B = _BV(TXEN0);
  UDR0 = 'x';
  UCSR0B = _BV(TXCIE0);
  off = 1;
  sei();
  for (;;) {
  }
}
