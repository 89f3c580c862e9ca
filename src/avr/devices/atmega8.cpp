// ATmega8: registers with their data-space addresses and bits, and interrupt vectors, after the data sheet.
#include "avr/devices/families.h"

namespace whittle::avr {
namespace {

constexpr RegisterRow kRegisters[] = {
    {0x20, "TWBR", ""},
    {0x21, "TWSR", "TWPS0=0 TWPS1=1 TWS3=3 TWS4=4 TWS5=5 TWS6=6 TWS7=7"},
    {0x22, "TWAR", "TWGCE=0 TWA0=1 TWA1=2 TWA2=3 TWA3=4 TWA4=5 TWA5=6 TWA6=7"},
    {0x23, "TWDR", ""},
    {0x24, "ADCL", ""},
    {0x25, "ADCH", ""},
    {0x26, "ADCSRA", "ADPS0=0 ADPS1=1 ADPS2=2 ADIE=3 ADIF=4 ADFR=5 ADSC=6 ADEN=7"},
    {0x27, "ADMUX", "MUX0=0 MUX1=1 MUX2=2 MUX3=3 ADLAR=5 REFS0=6 REFS1=7"},
    {0x28, "ACSR", "ACIS0=0 ACIS1=1 ACIC=2 ACIE=3 ACI=4 ACO=5 ACBG=6 ACD=7"},
    {0x29, "UBRRL", ""},
    {0x2a, "UCSRB", "TXB8=0 RXB8=1 UCSZ2=2 TXEN=3 RXEN=4 UDRIE=5 TXCIE=6 RXCIE=7"},
    {0x2b, "UCSRA", "MPCM=0 U2X=1 PE=2 DOR=3 FE=4 UDRE=5 TXC=6 RXC=7"},
    {0x2c, "UDR", ""},
    {0x2d, "SPCR", "SPR0=0 SPR1=1 CPHA=2 CPOL=3 MSTR=4 DORD=5 SPE=6 SPIE=7"},
    {0x2e, "SPSR", "SPI2X=0 WCOL=6 SPIF=7"},
    {0x2f, "SPDR", ""},
    {0x30, "PIND", "PIND0=0 PIND1=1 PIND2=2 PIND3=3 PIND4=4 PIND5=5 PIND6=6 PIND7=7"},
    {0x31, "DDRD", "DDD0=0 DDD1=1 DDD2=2 DDD3=3 DDD4=4 DDD5=5 DDD6=6 DDD7=7"},
    {0x32, "PORTD", "PORTD0=0 PORTD1=1 PORTD2=2 PORTD3=3 PORTD4=4 PORTD5=5 PORTD6=6 PORTD7=7"},
    {0x33, "PINC", "PINC0=0 PINC1=1 PINC2=2 PINC3=3 PINC4=4 PINC5=5 PINC6=6"},
    {0x34, "DDRC", "DDC0=0 DDC1=1 DDC2=2 DDC3=3 DDC4=4 DDC5=5 DDC6=6"},
    {0x35, "PORTC", "PORTC0=0 PORTC1=1 PORTC2=2 PORTC3=3 PORTC4=4 PORTC5=5 PORTC6=6"},
    {0x36, "PINB", "PINB0=0 PINB1=1 PINB2=2 PINB3=3 PINB4=4 PINB5=5 PINB6=6 PINB7=7"},
    {0x37, "DDRB", "DDB0=0 DDB1=1 DDB2=2 DDB3=3 DDB4=4 DDB5=5 DDB6=6 DDB7=7"},
    {0x38, "PORTB", "PORTB0=0 PORTB1=1 PORTB2=2 PORTB3=3 PORTB4=4 PORTB5=5 PORTB6=6 PORTB7=7"},
    {0x3c, "EECR", "EERE=0 EEWE=1 EEMWE=2 EERIE=3"},
    {0x3d, "EEDR", ""},
    {0x3e, "EEARL", ""},
    {0x3f, "EEARH", ""},
    {0x40, "UBRRH", ""},
    {0x40, "UCSRC", "UCPOL=0 UCSZ0=1 UCSZ1=2 USBS=3 UPM0=4 UPM1=5 UMSEL=6 URSEL=7"},
    {0x41, "WDTCR", "WDP0=0 WDP1=1 WDP2=2 WDE=3 WDCE=4"},
    {0x42, "ASSR", "TCR2UB=0 OCR2UB=1 TCN2UB=2 AS2=3"},
    {0x43, "OCR2", ""},
    {0x44, "TCNT2", ""},
    {0x45, "TCCR2", "CS20=0 CS21=1 CS22=2 WGM21=3 COM20=4 COM21=5 WGM20=6 FOC2=7"},
    {0x46, "ICR1L", ""},
    {0x47, "ICR1H", ""},
    {0x48, "OCR1BL", ""},
    {0x49, "OCR1BH", ""},
    {0x4a, "OCR1AL", ""},
    {0x4b, "OCR1AH", ""},
    {0x4c, "TCNT1L", ""},
    {0x4d, "TCNT1H", ""},
    {0x4e, "TCCR1B", "CS10=0 CS11=1 CS12=2 WGM12=3 WGM13=4 ICES1=6 ICNC1=7"},
    {0x4f, "TCCR1A", "WGM10=0 WGM11=1 FOC1B=2 FOC1A=3 COM1B0=4 COM1B1=5 COM1A0=6 COM1A1=7"},
    {0x50, "SFIOR", "PSR10=0 PSR2=1 PUD=2 ACME=3"},
    {0x51, "OSCCAL", ""},
    {0x52, "TCNT0", ""},
    {0x53, "TCCR0", "CS00=0 CS01=1 CS02=2"},
    {0x54, "MCUCSR", "PORF=0 EXTRF=1 BORF=2 WDRF=3"},
    {0x55, "MCUCR", "ISC00=0 ISC01=1 ISC10=2 ISC11=3 SM0=4 SM1=5 SM2=6 SE=7"},
    {0x56, "TWCR", "TWIE=0 TWEN=2 TWWC=3 TWSTO=4 TWSTA=5 TWEA=6 TWINT=7"},
    {0x57, "SPMCR", "SPMEN=0 PGERS=1 PGWRT=2 BLBSET=3 RWWSRE=4 RWWSB=6 SPMIE=7"},
    {0x58, "TIFR", "TOV0=0 TOV1=2 OCF1B=3 OCF1A=4 ICF1=5 TOV2=6 OCF2=7"},
    {0x59, "TIMSK", "TOIE0=0 TOIE1=2 OCIE1B=3 OCIE1A=4 TICIE1=5 TOIE2=6 OCIE2=7"},
    {0x5a, "GIFR", "INTF0=6 INTF1=7"},
    {0x5b, "GICR", "IVCE=0 IVSEL=1 INT0=6 INT1=7"},
    {0x5d, "SPL", ""},
    {0x5e, "SPH", ""},
    {0x5f, "SREG", "C=0 Z=1 N=2 V=3 S=4 H=5 T=6 I=7"},
};

constexpr VectorRow kVectors[] = {
    {1, "INT0"}, {2, "INT1"}, {3, "TIMER2_COMP"}, {4, "TIMER2_OVF"}, {5, "TIMER1_CAPT"}, {6, "TIMER1_COMPA"},
    {7, "TIMER1_COMPB"}, {8, "TIMER1_OVF"}, {9, "TIMER0_OVF"}, {10, "SPI_STC"}, {11, "USART_RXC"}, {12, "USART_UDRE"},
    {13, "USART_TXC"}, {14, "ADC"}, {15, "EE_RDY"}, {16, "ANA_COMP"}, {17, "TWI"}, {18, "SPM_RDY"},
};

constexpr PinRow kPins[] = {
    {"COM1A0 COM1A1", "PB1"},
    {"COM1B0 COM1B1", "PB2"},
    {"COM20 COM21", "PB3"},
    {"TXEN", "PD1"},
    {"RXEN", "PD0"},
    {"SPE", "PB2 PB3 PB4 PB5"},
    {"TWEN", "PC4 PC5"},
};

}  // namespace

const DeviceTable kATmega8 = {
    .name = "atmega8",
    .title = "ATmega8",
    .flash_bytes = 0x2000,
    .ram_start = 0x60,
    .ram_end = 0x45f,
    .eeprom_bytes = 0x200,
    .vector_words = 1,
    .vector_count = 19,
    .pc_bytes = 2,
    .has_mul = true,
    .has_elpm = false,
    .pin_toggles = false,
    .sp_at_ram_end = false,
    .registers = kRegisters,
    .vectors = kVectors,
    .pins = kPins,
};

}  // namespace whittle::avr
