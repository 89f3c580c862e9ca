// ATtiny85: registers with their data-space addresses and bits, and interrupt vectors, after the data sheet.
#include "avr/devices/tables.h"

namespace whittle::avr {
namespace {

constexpr RegisterRow kRegisters[] = {
    {0x23, "ADCSRB", "ADTS0=0 ADTS1=1 ADTS2=2 IPR=5 ACME=6 BIN=7"},
    {0x24, "ADCL", ""},
    {0x25, "ADCH", ""},
    {0x26, "ADCSRA", "ADPS0=0 ADPS1=1 ADPS2=2 ADIE=3 ADIF=4 ADATE=5 ADSC=6 ADEN=7"},
    {0x27, "ADMUX", "MUX0=0 MUX1=1 MUX2=2 MUX3=3 REFS2=4 ADLAR=5 REFS0=6 REFS1=7"},
    {0x28, "ACSR", "ACIS0=0 ACIS1=1 ACIE=3 ACI=4 ACO=5 ACBG=6 ACD=7"},
    {0x2d, "USICR", "USITC=0 USICLK=1 USICS0=2 USICS1=3 USIWM0=4 USIWM1=5 USIOIE=6 USISIE=7"},
    {0x2e, "USISR", "USICNT0=0 USICNT1=1 USICNT2=2 USICNT3=3 USIDC=4 USIPF=5 USIOIF=6 USISIF=7"},
    {0x2f, "USIDR", ""},
    {0x30, "USIBR", ""},
    {0x31, "GPIOR0", ""},
    {0x32, "GPIOR1", ""},
    {0x33, "GPIOR2", ""},
    {0x34, "DIDR0", "AIN0D=0 AIN1D=1 ADC1D=2 ADC3D=3 ADC2D=4 ADC0D=5"},
    {0x35, "PCMSK", "PCINT0=0 PCINT1=1 PCINT2=2 PCINT3=3 PCINT4=4 PCINT5=5"},
    {0x36, "PINB", "PINB0=0 PINB1=1 PINB2=2 PINB3=3 PINB4=4 PINB5=5"},
    {0x37, "DDRB", "DDB0=0 DDB1=1 DDB2=2 DDB3=3 DDB4=4 DDB5=5"},
    {0x38, "PORTB", "PB0=0 PB1=1 PB2=2 PB3=3 PB4=4 PB5=5"},
    {0x3c, "EECR", "EERE=0 EEPE=1 EEMPE=2 EERIE=3 EEPM0=4 EEPM1=5"},
    {0x3d, "EEDR", ""},
    {0x3e, "EEARL", ""},
    {0x3f, "EEARH", ""},
    {0x40, "PRR", "PRADC=0 PRUSI=1 PRTIM0=2 PRTIM1=3"},
    {0x41, "WDTCR", "WDP0=0 WDP1=1 WDP2=2 WDE=3 WDCE=4 WDP3=5 WDIE=6 WDIF=7"},
    {0x42, "DWDR", ""},
    {0x43, "DTPS1", "DTPS10=0 DTPS11=1"},
    {0x44, "DT1B", "DT1BL0=0 DT1BL1=1 DT1BL2=2 DT1BL3=3 DT1BH0=4 DT1BH1=5 DT1BH2=6 DT1BH3=7"},
    {0x45, "DT1A", "DT1AL0=0 DT1AL1=1 DT1AL2=2 DT1AL3=3 DT1AH0=4 DT1AH1=5 DT1AH2=6 DT1AH3=7"},
    {0x46, "CLKPR", "CLKPS0=0 CLKPS1=1 CLKPS2=2 CLKPS3=3 CLKPCE=7"},
    {0x47, "PLLCSR", "PLOCK=0 PLLE=1 PCKE=2 LSM=7"},
    {0x48, "OCR0B", ""},
    {0x49, "OCR0A", ""},
    {0x4a, "TCCR0A", "WGM00=0 WGM01=1 COM0B0=4 COM0B1=5 COM0A0=6 COM0A1=7"},
    {0x4b, "OCR1B", ""},
    {0x4c, "GTCCR", "PSR0=0 PSR1=1 FOC1A=2 FOC1B=3 COM1B0=4 COM1B1=5 PWM1B=6 TSM=7"},
    {0x4d, "OCR1C", ""},
    {0x4e, "OCR1A", ""},
    {0x4f, "TCNT1", ""},
    {0x50, "TCCR1", "CS10=0 CS11=1 CS12=2 CS13=3 COM1A0=4 COM1A1=5 PWM1A=6 CTC1=7"},
    {0x51, "OSCCAL", ""},
    {0x52, "TCNT0", ""},
    {0x53, "TCCR0B", "CS00=0 CS01=1 CS02=2 WGM02=3 FOC0B=6 FOC0A=7"},
    {0x54, "MCUSR", "PORF=0 EXTRF=1 BORF=2 WDRF=3"},
    {0x55, "MCUCR", "ISC00=0 ISC01=1 BODSE=2 SM0=3 SM1=4 SE=5 PUD=6 BODS=7"},
    {0x57, "SPMCSR", "SPMEN=0 PGERS=1 PGWRT=2 RFLB=3 CTPB=4 RSIG=5"},
    {0x58, "TIFR", "TOV0=1 TOV1=2 OCF0B=3 OCF0A=4 OCF1B=5 OCF1A=6"},
    {0x59, "TIMSK", "TOIE0=1 TOIE1=2 OCIE0B=3 OCIE0A=4 OCIE1B=5 OCIE1A=6"},
    {0x5a, "GIFR", "PCIF=5 INTF0=6"},
    {0x5b, "GIMSK", "PCIE=5 INT0=6"},
    {0x5d, "SPL", ""},
    {0x5e, "SPH", ""},
    {0x5f, "SREG", "C=0 Z=1 N=2 V=3 S=4 H=5 T=6 I=7"},
};

constexpr VectorRow kVectors[] = {
    {1, "INT0"},          {2, "PCINT0"},   {3, "TIMER1_COMPA"}, {4, "TIMER1_OVF"},   {5, "TIMER0_OVF"},
    {6, "EE_RDY"},        {7, "ANA_COMP"}, {8, "ADC"},          {9, "TIMER1_COMPB"}, {10, "TIMER0_COMPA"},
    {11, "TIMER0_COMPB"}, {12, "WDT"},     {13, "USI_START"},   {14, "USI_OVF"},
};

constexpr PinRow kPins[] = {
    {"COM0A0 COM0A1", "PB0"},
    {"COM0B0 COM0B1", "PB1"},
    {"COM1A0 COM1A1", "PB0 PB1"},
    {"COM1B0 COM1B1", "PB3 PB4"},
    {"USIWM0 USIWM1", "PB0 PB1 PB2"},
};

}  // namespace

const DeviceTable kATtiny85 = {
    .name = "attiny85",
    .title = "ATtiny85",
    .flash_bytes = 0x2000,
    .ram_start = 0x60,
    .ram_end = 0x25f,
    .eeprom_bytes = 0x200,
    .vector_words = 1,
    .vector_count = 15,
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
