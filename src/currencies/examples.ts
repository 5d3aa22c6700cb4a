/** As answered in March 2026; held to the schemas by a test. */
export const exampleCurrencies = [
  {
    iso_code: 'AED',
    iso_numeric: '784',
    name: 'United Arab Emirates Dirham',
    symbol: 'د.إ',
    start_date: '1999-01-04',
    end_date: '2026-03-18',
  },
  {
    iso_code: 'USD',
    iso_numeric: '840',
    name: 'United States Dollar',
    symbol: '$',
    start_date: '1971-01-04',
    end_date: '2026-03-18',
  },
];

export const exampleCurrency = {
  iso_code: 'AED',
  iso_numeric: '784',
  name: 'United Arab Emirates Dirham',
  symbol: 'د.إ',
  start_date: '1997-11-02',
  end_date: '2026-03-18',
  providers: ['BDI', 'CBR', 'NBG'],
  peg: {
    base: 'USD',
    rate: 3.6725,
    authority: 'Central Bank of the UAE',
    source: 'https://www.centralbank.ae/en/our-operations/currency-operations/exchange-rates',
  },
};
