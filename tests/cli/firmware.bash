# AVR firmware goes the way of a C program: verdicts, reports, replay, and every option honoured or refused.

# Firmware as Intel hex, made by hand for an ATmega328P, so that no compiler is needed.
#   0: ldi r16, 1     1: out PORTB, r16     2: in r17, PINB     3: sbrc r17, 7     4: rjmp 6
#   5: rjmp 2         6: sts 0x0900, r16 (beyond RAM)            8: rjmp 8
overflow() {
  cat >fw.hex <<'H'
:1000000001E005B913B117FD01C0FCCF0093000951
:02001000FFCF20
:00000001FF
H
}
loop() {  # ldi r16,1; out PORTB,r16; rjmp 0x2
  cat >fw.hex <<'H'
:0600000001E005B9FFCF8D
:00000001FF
H
}

case_a_violation_is_a_verdict_with_all_reports() {
  overflow
  whittle check fw.hex --mcu atmega328p --json r.json --html r.html --sarif r.sarif --counterexample c.txt
  expect_verdict 'false(firmware-check)'
  expect_out 'violation: .*beyond RAM'
  expect_out '^replay: whittle run fw.hex --mcu atmega328p'
  grep -q '"verdict": "false(firmware-check)"' r.json || fail "r.json"
  grep -q 'beyond RAM' r.html || fail "r.html"
  grep -q '"ruleId": "firmware-check"' r.sarif || fail "r.sarif"
  whittle run fw.hex --mcu atmega328p --counterexample c.txt
  expect_status 10
  expect_err 'beyond RAM'
}
case_a_proof_is_true() {
  loop
  whittle check fw.hex --mcu atmega328p
  expect_verdict true
  expect_out 'explicit: proved: all .* states'
}
case_formulas_have_verdicts_evidence_and_notes() {
  loop
  whittle check fw.hex --mcu atmega328p --ctl 'EF PORTB == 1' --json r.json
  expect_verdict true
  grep -q 'out' r.json || fail "no witness"
  whittle check fw.hex --mcu atmega328p --ctl 'AG PORTB == 0'
  expect_verdict 'false(ctl)'
  expect_out 'violation: AG PORTB == 0 does not hold'
  whittle check fw.hex --mcu atmega328p --ctl 'EF PORTB == 1' --ctl 'AG PORTB == 0' --ctl 'AF PORTB == 1'
  expect_verdict 'false(ctl)'
  expect_out 'EF PORTB == 1: holds'
  expect_out 'AG PORTB == 0: does not hold'
  expect_out "^replay: .*--ctl 'AG PORTB == 0' --schedule"
}
case_options_are_refused_by_name() {
  loop
  whittle check fw.hex --mcu atmega328p --property no-overflow
  expect_one_line 64 'no-overflow does not apply to firmware'
  local option
  for option in '--witness w.yml' '--entry f' '-I .' '-D X' '--data-model ILP32' '--strict' '--seed 3' '--values tried' \
    '--states pauses'; do
    whittle check fw.hex --mcu atmega328p $option
    expect_one_line 64 "${option%% *} does not apply to firmware"
  done
  whittle check fw.hex --mcu atmega328p --engine dash
  expect_one_line 64 'dash does not apply to firmware'
  whittle check fw.hex --mcu atmega328p --ctl ''
  expect_one_line 64 'the formula is empty'
  echo 'int main(void) { return 0; }' >a.c
  whittle check a.c --timers exact
  expect_one_line 64 '--timers is for firmware'
  whittle check a.c --property firmware-check
  expect_one_line 64 'firmware-check is for firmware'
  whittle check a.c --ctl ''
  expect_one_line 64 'the formula is empty'
}
case_search_options_are_honoured() {
  loop
  local option
  for option in '--order breadth' '--reduce none' '--dead dynamic' '--loop state' '--property firmware-check'; do
    whittle check fw.hex --mcu atmega328p $option
    expect_verdict true
  done
  whittle check fw.hex --mcu atmega328p --store bit
  expect_verdict unknown
  whittle check fw.hex --mcu atmega328p --reduce some
  expect_one_line 64 '--reduce is one of'
}
case_firmware_is_proved_by_states() {
  loop
  whittle check fw.hex --mcu atmega328p --ctl 'AG(PORTB <= 1)' --proof p.json --require-proof
  expect_verdict true
  whittle check-proof p.json fw.hex
  expect_status 0
  expect_out 'and AG\(PORTB <= 1\)'
  expect_out '^valid$'
  whittle check-proof p.json fw.hex --json -
  expect_out '"kind": "chip"'
  sed 's/PORTB <= 1/PORTB < 1/' p.json >wrong.json
  whittle check-proof wrong.json fw.hex
  expect_status 10
  expect_out '^invalid: a state is reached in which the formula does not hold'
  sed 's/"states": .*/"states": 77/' p.json >wrong.json
  whittle check-proof wrong.json fw.hex
  expect_status 10
  sed 's/atmega328p/atmega9/' p.json >wrong.json
  whittle check-proof wrong.json fw.hex
  expect_one_line 64 'atmega9'
  sed '/"timers"/d' p.json >wrong.json
  whittle check-proof wrong.json fw.hex
  expect_one_line 65 'damaged'
  sed 's/"version": 1/"version": {}/; s/"states": .*/"states": []/' p.json >wrong.json
  whittle check-proof wrong.json fw.hex
  expect_one_line 65 'another version'
  overflow
  whittle check-proof p.json fw.hex
  expect_one_line 65 'other firmware'
  whittle check fw.hex --mcu atmega328p --proof q.json --require-proof
  expect_verdict 'false(firmware-check)'
  [[ ! -e q.json ]] || fail "a proof of what fails"
  loop
  whittle check fw.hex --mcu atmega328p --ctl 'EF PORTB == 1' --require-proof
  expect_verdict unknown
  expect_out 'only AG'
}

case_values_have_their_types_and_runs_are_short() {
  if ! command -v avr-gcc >/dev/null; then
    echo "skipped: no avr-gcc"
    return
  fi
  cat >types.c <<'C'
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>
enum colour { RED, GREEN };
enum mode { OFF, ON, FAULT };
struct bits { uint8_t low : 3; int8_t high : 5; };
volatile enum colour colour;
volatile enum mode mode;
volatile struct bits bits;
volatile float ratio;
volatile bool ready;
volatile char letter;
volatile int16_t count;
volatile int16_t *volatile where;
static void tick(void) { count = -2; }
void (*volatile action)(void);
volatile uint8_t ticks;
ISR(TIMER0_OVF_vect) { ticks++; }
int main(void) {
  TCCR0 = 1, TIMSK = 1 << TOIE0;
  sei();
  colour = GREEN, mode = ON;
  bits.low = 5, bits.high = -3;
  ratio = 1.5f;
  ready = true;
  letter = 'q';
  where = &count;
  action = tick;
  action();
  for (;;) { uint8_t in = PINA; if (in == 7) mode = FAULT; }
}
C
  avr-gcc -mmcu=atmega16 -Os -gdwarf-4 types.c -o types.elf || fail "avr-gcc"
  whittle check types.elf --mcu atmega16 --ctl 'AG(!(mode == FAULT && ticks >= 2))' --timeout 60s
  expect_verdict 'false(ctl)'
  expect_out 'colour = GREEN'
  expect_out 'mode = ON'
  expect_out 'bits\.low = 5'
  expect_out 'bits\.high = -3'
  expect_out 'ratio = 1\.5'
  expect_out 'ready = true'
  expect_out "letter = 'q'"
  expect_out 'where = &count'
  expect_out 'action = tick'
  expect_out 'count = -2'
  [ "$(grep -c 'interrupt TIMER0_OVF$' "$work/out")" = 2 ] || fail "more interrupts than needed"
  expect_no_out 'last result\.'
}
