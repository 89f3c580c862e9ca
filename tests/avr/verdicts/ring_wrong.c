// mcu: atmega328p
// only: abstract
// ask: AG true => violation stack runs into data
// The same with an index that is not masked where a frame begins: after 40 bytes the stack is moved into the variables.
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile unsigned char ring[64], head, tail;
static volatile unsigned int got;

ISR(USART_RX_vect) {
  unsigned char byte = UDR0, next = (unsigned char)(head + 1) & 63;
  if (next != tail) ring[head] = byte, head = next;
  if (++got == 40) {
    cli();
    SP = 0x110;
  }
}

int main(void) {
  UCSR0B = 0x98;
  sei();
  for (;;) {
    if (head == tail) continue;
    tail = (unsigned char)(tail + 1) & 63;
  }
}
