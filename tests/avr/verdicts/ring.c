// mcu: atmega328p
// only: abstract
// ask: AG(count < 64) => holds
// ask: AG true => holds
// Bytes from the USART go through a ring of 64: an index of any value is masked before it is used. What is counted may
// be anything, so the count is kept in range.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile unsigned char ring[64], head, tail, count;

ISR(USART_RX_vect) {
  unsigned char byte = UDR0, next = (unsigned char)(head + 1) & 63;
  if (next != tail) ring[head] = byte, head = next;
}

int main(void) {
  UCSR0B = 0x98;
  sei();
  for (;;) {
    if (head == tail) continue;
    unsigned char byte = ring[tail];
    tail = (unsigned char)(tail + 1) & 63;
    while (!(UCSR0A & 0x20)) {
    }
    UDR0 = byte;
    count = byte & 63;
  }
}
