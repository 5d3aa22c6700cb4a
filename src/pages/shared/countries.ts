/** Besides the country of their first two letters: ISO 4217, list one, by ISO 3166-1 codes. */
const USED_IN: Readonly<Record<string, string>> = {
  AUD: 'KI NR TV CX CC NF',
  CHF: 'LI',
  DKK: 'GL FO',
  EUR: 'EU AD AT BE BG CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MQ MT NL PT RE SI SK SM VA XK YT',
  GBP: 'GG IM JE',
  ILS: 'PS',
  MAD: 'EH',
  NOK: 'SJ BV',
  NZD: 'CK NU TK PN',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL VG VI',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF WF',
};

export function countriesOf(currency: string): string[] {
  const others = USED_IN[currency]?.split(' ') ?? [];
  return currency.startsWith('X') || others.includes('EU') ? others : [currency.slice(0, 2), ...others];
}
