import { expect } from 'vitest';

/** A question to a model, the call that it makes of it, and what it is told: the result, or why there is none. */
export interface Question {
  asked: string;
  tool: string;
  input: Record<string, unknown>;
  /** Members of the structured result. */
  answer?: Record<string, unknown>;
  /** What the error says, a line for each argument. */
  refusal?: readonly (string | RegExp)[];
}

const row = (date: string, base: string, quote: string, rate: number) => ({ date, base, quote, rate });

/** Arguments are in the forms that models send them, careless ones too. */
export const questions: readonly Question[] = [
  {
    asked: 'How much is a hundred dollars in euros?',
    tool: 'convert',
    input: { amount: 100, base: 'USD', quote: 'EUR' },
    answer: { amount: '100', observed: '2026-04-16', result: '84.83' },
  },
  {
    asked: 'What did 1,250 euros cost in dollars on 9 March 2026?',
    tool: 'convert',
    input: { amount: '1250.00', base: 'eur', quote: ' usd ', date: '2026-03-09' },
    answer: { base: 'EUR', quote: 'USD', observed: '2026-03-09', result: '1447.95' },
  },
  {
    asked: 'How many yen are £19.99?',
    tool: 'convert',
    input: { amount: 19.99, base: 'GBP', quote: 'JPY', date: null, when: '', providers: [], as_of: false },
    answer: { amount: '19.99', observed: '2026-04-16', result: '4296' },
  },
  {
    asked: 'I owe tax on $10,000 for February 2026. What is that in euros by the rule of the one-stop shop?',
    tool: 'convert',
    input: { amount: 10000, base: 'USD', quote: 'EUR', date: '2026-02-28', when: 'next', providers: ['ECB'] },
    answer: { date: '2026-02-28', observed: '2026-03-02', result: '8548.47' },
  },
  {
    asked: 'Polish invoice of 5 March 2026 over 1,000 euros: which rate?',
    tool: 'convert',
    input: {
      amount: 1000,
      base: 'EUR',
      quote: 'PLN',
      date: '2026-03-05',
      when: 'Before',
      providers: ['NBP'],
    },
    answer: { observed: '2026-03-04', rate: 4.2685, result: '4268.50' },
  },
  {
    asked: 'The same by the European Central Bank?',
    tool: 'convert',
    input: { amount: 1000, base: 'EUR', quote: 'PLN', date: '2026-03-05', when: 'before', providers: 'ecb' },
    answer: { observed: '2026-03-04', rate: 4.2588, result: '4258.80' },
  },
  {
    asked: 'What would 1e21 euros be in dollars?',
    tool: 'convert',
    input: { amount: 1e21, base: 'EUR', quote: 'USD', date: '2026-03-02' },
    answer: { amount: '1000000000000000000000', result: '1175981653840000000000.00' },
  },
  {
    asked: 'Convert 100 USD to EUR, with the arguments of another service.',
    tool: 'convert',
    input: { amount: 100, from: 'USD', to: 'EUR' },
    refusal: ['base is required, such as EUR', 'quote is required, such as USD', /\bfrom\b/, /\bto\b/],
  },
  {
    asked: 'What is the rate for a conversion, without an amount?',
    tool: 'convert',
    input: { amount: '', base: 'USD', quote: 'EUR' },
    refusal: ['amount is required, such as 1250.00'],
  },
  {
    asked: 'Convert 12,5 euros, with a comma.',
    tool: 'convert',
    input: { amount: '12,5', base: 'EUR', quote: 'USD' },
    refusal: [/amount.*12,5/],
  },
  {
    asked: 'What were five euros in dollars on 20 May 2026, after the newest rates?',
    tool: 'convert',
    input: { amount: 5, base: 'EUR', quote: 'USD', date: '2026-05-20' },
    refusal: [/^no rate.*EUR\/USD/],
  },
  {
    asked: 'And at the first rate after 20 April 2026?',
    tool: 'convert',
    input: { amount: 5, base: 'EUR', quote: 'USD', date: '2026-04-20', when: 'next' },
    refusal: [/EUR\/USD.*2026-04-20.*2026-05-04/],
  },
  {
    asked: 'What is the euro worth in dollars and pounds?',
    tool: 'rates',
    input: { base: 'EUR', quotes: ['USD', 'GBP'] },
    answer: { rows: [row('2026-04-16', 'EUR', 'GBP', 0.87178), row('2026-04-16', 'EUR', 'USD', 1.1788)] },
  },
  {
    asked: 'The dollar in euros on 10 March 2026, to four digits?',
    tool: 'rates',
    input: { base: 'USD', quotes: ['EUR'], date: '2026-03-10', precision: '4' },
    answer: { rows: [row('2026-03-10', 'USD', 'EUR', 0.860335971309)] },
  },
  {
    asked: 'And to six, by a number?',
    tool: 'rates',
    input: { base: 'USD', quotes: 'eur', date: '2026-03-10', precision: 6 },
    answer: { rows: [row('2026-03-10', 'USD', 'EUR', 0.860335971309)] },
  },
  {
    asked: "The ECB's rates of the dollar and the pound on a Saturday?",
    tool: 'rates',
    input: { quotes: 'usd, gbp', date: '2026-03-14', providers: 'ecb' },
    answer: { rows: [row('2026-03-13', 'EUR', 'GBP', 0.86503), row('2026-03-13', 'EUR', 'USD', 1.1476)] },
  },
  {
    asked: 'The last dollar rate of the ECB before Monday, 16 March 2026?',
    tool: 'rates',
    input: { quotes: ['USD'], date: '2026-03-16', when: 'before', providers: ['ECB'] },
    answer: { rows: [row('2026-03-13', 'EUR', 'USD', 1.1476)] },
  },
  {
    asked: 'The dollar on 14/03/2026?',
    tool: 'rates',
    input: { quotes: ['USD'], date: '14/03/2026' },
    refusal: [/YYYY-MM-DD.*14\/03\/2026/],
  },
  {
    asked: 'The dollar, with the argument of another service?',
    tool: 'rates',
    input: { base: 'EUR', symbols: ['USD'] },
    refusal: [/symbols.*quotes/],
  },
  {
    asked: 'Euros and dollars, by a name that is no code?',
    tool: 'rates',
    input: { quotes: ['EUROS', 'USD'] },
    refusal: [/quotes.*EUROS/],
  },
  {
    asked: 'The dollar on 20 May 2026, after the newest rates?',
    tool: 'rates',
    input: { base: 'EUR', quotes: ['USD'], date: '2026-05-20' },
    refusal: ['no rates on these days: there are rates of EUR against USD from 1999-01-05 to 2026-04-16'],
  },
  {
    asked: 'And by the ECB alone?',
    tool: 'rates',
    input: { quotes: ['USD'], date: '2026-05-20', providers: ['ECB'] },
    refusal: [
      'no rates on these days: there are rates of EUR against USD by ECB from 2026-02-17 to 2026-03-18',
    ],
  },
  {
    asked: 'What was the dollar on the first Monday and Tuesday of March 2026?',
    tool: 'series',
    input: { quotes: ['USD'], from: '2026-03-02', to: '2026-03-03' },
    answer: { rows: [row('2026-03-02', 'EUR', 'USD', 1.176), row('2026-03-03', 'EUR', 'USD', 1.1677)] },
  },
  {
    asked: 'What was the highest rate of the dollar in euros in February 2026?',
    tool: 'series',
    input: {
      base: 'USD',
      quotes: ['EUR'],
      from: '2026-02-01',
      to: '2026-02-28',
      group: 'month',
      expand: ['stats'],
    },
    answer: {
      rows: [
        {
          ...row('2026-02-01', 'USD', 'EUR', 0.8451),
          stats: {
            first: 0.83855,
            last: 0.84621,
            last_date: '2026-02-28',
            low: 0.83855,
            high: 0.84959,
            average: 0.8451,
            days: 28,
          },
        },
      ],
    },
  },
  {
    asked: 'How many dollars was the euro worth on average in 2003?',
    tool: 'series',
    input: {
      quotes: 'USD',
      from: '2003-01-01',
      to: '2003-12-31',
      group: 'Year',
      fill: false,
      providers: null,
    },
    answer: { rows: [row('2003-01-01', 'EUR', 'USD', 1.1298)] },
  },
  {
    asked: 'Ten years of daily rates of four currencies?',
    tool: 'series',
    input: { quotes: ['USD', 'GBP', 'JPY', 'CHF'], from: '2016-01-01' },
    refusal: [/longer than 128 KiB.*group/],
  },
  {
    asked: 'How did it go?',
    tool: 'series',
    input: {},
    refusal: ['quotes is required, such as USD,GBP', 'from is required, such as 2026-01-01'],
  },
  {
    asked: 'Who says what a euro is in dollars, and how sure is it?',
    tool: 'source',
    input: { base: 'EUR', quote: 'USD', date: '2026-03-10', providers: ['ECB'], expand: ['providers'] },
    answer: {
      rate: 1.1641,
      providers: [{ key: 'ECB', date: '2026-03-10', rate: 1.1641 }],
      quality: { sources: 1, excluded: 0, spread: 0, age_days: 0, suspects: 0 },
    },
  },
  {
    asked: 'Is the dirham pegged?',
    tool: 'source',
    input: { base: 'USD', quote: 'AED' },
    answer: { rate: 3.6725, quality: { peg: true } },
  },
  {
    asked: 'Who is the ECB?',
    tool: 'provider',
    input: { key: 'ecb' },
    answer: { key: 'ECB', name: 'European Central Bank', pivot_currency: 'EUR', publish_cadence: 'daily' },
  },
  {
    asked: 'Tell me about a source.',
    tool: 'provider',
    input: { key: null },
    refusal: ['key is required, such as ECB'],
  },
  {
    asked: 'Which code does the currency of Albania have?',
    tool: 'currencies',
    input: { scope: '', providers: [] },
    answer: {
      rows: expect.arrayContaining([
        {
          iso_code: 'ALL',
          iso_numeric: '008',
          name: 'Albanian Lek',
          symbol: 'L',
          start_date: '2014-12-29',
          end_date: '2026-04-08',
        },
      ]),
    },
  },
  {
    asked: 'What is the CFA franc of West Africa held to?',
    tool: 'currency',
    input: { code: 'xof' },
    answer: {
      iso_code: 'XOF',
      name: 'West African CFA Franc',
      peg: expect.objectContaining({ base: 'EUR', rate: 655.957 }),
    },
  },
  {
    asked: 'Until when was there a German mark?',
    tool: 'currency',
    input: { code: 'DEM' },
    answer: { name: 'Deutsche Mark', end_date: '2001-12-31' },
  },
  {
    asked: 'Since when are there rates of the Swiss franc against the Swedish krona?',
    tool: 'coverage',
    input: { base: 'CHF', quotes: ['SEK'] },
    answer: { start_date: '1987-01-02', end_date: '2026-04-16' },
  },
];
