// A task with its own stack in a variable, as in FreeRTOS's port: fine once the environment says so.
// mcu: atmega328p
// env: stack heap
// ask: AG(done <= 2) => holds
// ask: EF(done == 2) => holds
#include <avr/io.h>
#include <stdint.h>
uint8_t heap[64];
volatile uint8_t done;
uint16_t main_sp;
__attribute__((noinline)) void work(void) { done = 1; }
__attribute__((noinline, naked)) void switch_to(uint16_t sp) {
  __asm__ volatile(
      "in r18, __SP_L__\n\tin r19, __SP_H__\n\t"
      "sts main_sp, r18\n\tsts main_sp+1, r19\n\t"
      "out __SP_H__, r25\n\tout __SP_L__, r24\n\t"
      "rcall work\n\t"
      "lds r18, main_sp\n\tlds r19, main_sp+1\n\t"
      "out __SP_H__, r19\n\tout __SP_L__, r18\n\t"
      "ret" ::: "r18", "r19");
}
int main(void) {
  main_sp = 0;
  switch_to((uint16_t)&heap[63]);
  done = 2;
  for (;;) {
  }
}
