/** Responses with the first data. A test checks them against the schemas. */
export const exampleRows = [
  { date: '2026-03-20', base: 'EUR', quote: 'GBP', rate: 0.86693 },
  { date: '2026-03-20', base: 'EUR', quote: 'USD', rate: 1.1537 },
];

export const exampleRow = { date: '2026-03-20', base: 'EUR', quote: 'USD', rate: 1.1537 };
