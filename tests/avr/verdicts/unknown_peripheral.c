// The CAN controller is not modelled: its registers read as anything, and its interrupt may come at any time.
// mcu: at90can128
// ask: AG(!ready) => fails
// ask: AG(!came) => fails
// ask: AG(sum <= 2) => holds
#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint8_t ready, came, sum;

ISR(CANIT_vect) {
  came = 1;
  if (sum < 2) sum++;
}

int main(void) {
  CANPAGE = 0;
  sei();
  while (!(CANSTMOB & (1 << TXOK))) {
  }
  ready = 1;
  for (;;) {
  }
}
