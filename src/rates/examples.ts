/** As answered in March 2026; held to the schemas by a test. */
export const exampleRows = [
  { date: '2026-03-20', base: 'EUR', quote: 'GBP', rate: 0.86472 },
  { date: '2026-03-20', base: 'EUR', quote: 'USD', rate: 1.1534 },
];

export const exampleRow = { date: '2026-03-20', base: 'EUR', quote: 'USD', rate: 1.1534 };

export const exampleText = {
  ndjson: exampleRows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  csv: ['date,base,quote,rate', '2026-03-20,EUR,GBP,0.86472', '2026-03-20,EUR,USD,1.1534', ''].join('\n'),
};
