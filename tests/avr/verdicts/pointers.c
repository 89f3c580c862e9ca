// Formulas over what pointers lead to, floating-point numbers, and tables in flash.
// mcu: atmega328p
// ask: AG(tail->value >= 3) => holds
// ask: AG(tail->value == 3) => fails
// ask: EF((*tail).value == 5 && {tail == &second}) => holds
// ask: AG({!tail->next || tail->next->value == 5}) => holds
// ask: AG(*byte == 7 || *byte == 8) => holds
// ask: EF(byte[0] == 8) => holds
// ask: AG(settled -> temperature < 13.0 && temperature >= 1.5) => holds
// ask: EF(temperature * 2 > 2.9e1 - 5.5) => holds
// ask: AG(settled -> temperature <= 6) => fails
// ask: AG(table[3] == 900 && table[step] <= 900) => holds
// ask: EF(table[step] == -2) => holds
// ask: AG(call == work || call == main) => holds
// ask: AG(maybe->value == 3) => unknown no variable of its type
#include <avr/io.h>
#include <avr/pgmspace.h>

typedef struct node node_t;
struct node {
  uint8_t value;
  node_t* next;
};
node_t second = {5, 0}, first = {3, &second};
node_t* volatile tail = &first;
struct node* volatile maybe = &first;
uint8_t bytes[2] = {7, 8};
uint8_t* volatile byte = bytes;
volatile float temperature = 1.5;
const int16_t table[4] PROGMEM = {1, -2, 3, 900};
volatile uint8_t step, settled;  // four bytes are written one after the other
void work(void) { step = 1; }
void (*volatile call)(void) = work;

int main(void) {
  for (uint8_t i = 0; i < 4; i++) {
    step = (uint8_t)pgm_read_word(&table[i]) & 3;
    if (tail->next) tail = tail->next;
    settled = 0;
    float next = temperature * 2;
    temperature = next > 12.5f ? 1.5f : next;
    settled = 1;
  }
  byte = &bytes[1];
  call();
  maybe = 0;
  for (;;) PORTB ^= 1;
}
