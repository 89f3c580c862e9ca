// ATtiny13: registers with their data-space addresses and bits, and interrupt vectors, after the data sheet.
#include "avr/devices/families.h"

namespace whittle::avr {
namespace {

constexpr RegisterRow kRegisters[] = {
    {0x23, "ADCSRB", "ADTS0=0 ADTS1=1 ADTS2=2 ACME=6"},
    {0x24, "ADCL", ""},
    {0x25, "ADCH", ""},
    {0x26, "ADCSRA", "ADPS0=0 ADPS1=1 ADPS2=2 ADIE=3 ADIF=4 ADATE=5 ADSC=6 ADEN=7"},
    {0x27, "ADMUX", "MUX0=0 MUX1=1 ADLAR=5 REFS0=6"},
    {0x28, "ACSR", "ACIS0=0 ACIS1=1 ACIE=3 ACI=4 ACO=5 ACBG=6 ACD=7"},
    {0x34, "DIDR0", "AIN0D=0 AIN1D=1 ADC1D=2 ADC3D=3 ADC2D=4 ADC0D=5"},
    {0x35, "PCMSK", "PCINT0=0 PCINT1=1 PCINT2=2 PCINT3=3 PCINT4=4 PCINT5=5"},
    {0x36, "PINB", "PINB0=0 PINB1=1 PINB2=2 PINB3=3 PINB4=4 PINB5=5"},
    {0x37, "DDRB", "DDB0=0 DDB1=1 DDB2=2 DDB3=3 DDB4=4 DDB5=5"},
    {0x38, "PORTB", "PORTB0=0 PORTB1=1 PORTB2=2 PORTB3=3 PORTB4=4 PORTB5=5"},
    {0x3c, "EECR", "EERE=0 EEPE=1 EEMPE=2 EERIE=3 EEPM0=4 EEPM1=5"},
    {0x3d, "EEDR", ""},
    {0x3e, "EEARL", ""},
    {0x41, "WDTCR", "WDP0=0 WDP1=1 WDP2=2 WDE=3 WDCE=4 WDP3=5 WDTIE=6 WDTIF=7"},
    {0x46, "CLKPR", "CLKPS0=0 CLKPS1=1 CLKPS2=2 CLKPS3=3 CLKPCE=7"},
    {0x48, "GTCCR", "PSR10=0 TSM=7"},
    {0x49, "OCR0B", ""},
    {0x4e, "DWDR", ""},
    {0x4f, "TCCR0A", "WGM00=0 WGM01=1 COM0B0=4 COM0B1=5 COM0A0=6 COM0A1=7"},
    {0x51, "OSCCAL", ""},
    {0x52, "TCNT0", ""},
    {0x53, "TCCR0B", "CS00=0 CS01=1 CS02=2 WGM02=3 FOC0B=6 FOC0A=7"},
    {0x54, "MCUSR", "PORF=0 EXTRF=1 BORF=2 WDRF=3"},
    {0x55, "MCUCR", "ISC00=0 ISC01=1 SM0=3 SM1=4 SE=5 PUD=6"},
    {0x56, "OCR0A", ""},
    {0x57, "SPMCSR", "SPMEN=0 SELFPRGEN=0 PGERS=1 PGWRT=2 RFLB=3 CTPB=4"},
    {0x58, "TIFR0", "TOV0=1 OCF0A=2 OCF0B=3"},
    {0x59, "TIMSK0", "TOIE0=1 OCIE0A=2 OCIE0B=3"},
    {0x5a, "GIFR", "PCIF=5 INTF0=6"},
    {0x5b, "GIMSK", "PCIE=5 INT0=6"},
    {0x5d, "SPL", ""},
    {0x5f, "SREG", "C=0 Z=1 N=2 V=3 S=4 H=5 T=6 I=7"},
};

constexpr VectorRow kVectors[] = {
    {1, "INT0"}, {2, "PCINT0"}, {3, "TIMER0_OVF"}, {4, "EE_RDY"}, {5, "ANA_COMP"}, {6, "TIMER0_COMPA"},
    {7, "TIMER0_COMPB"}, {8, "WDT"}, {9, "ADC"},
};

constexpr PinRow kPins[] = {
    {"COM0A0 COM0A1", "PB0"},
    {"COM0B0 COM0B1", "PB1"},
};

}  // namespace

const DeviceTable kATtiny13 = {
    .name = "attiny13",
    .title = "ATtiny13",
    .flash_bytes = 0x400,
    .ram_start = 0x60,
    .ram_end = 0x9f,
    .eeprom_bytes = 0x40,
    .vector_words = 1,
    .vector_count = 10,
    .pc_bytes = 2,
    .has_mul = false,
    .has_elpm = false,
    .pin_toggles = true,
    .sp_at_ram_end = true,
    .registers = kRegisters,
    .vectors = kVectors,
    .pins = kPins,
};

}  // namespace whittle::avr
