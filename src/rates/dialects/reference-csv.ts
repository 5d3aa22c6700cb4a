import { padded, type ReferenceTable, textsOf } from './reference-table.js';

// The bank ends each line with a comma. In the file of a day, a blank follows each comma.

const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ day: '2-digit', month: 'long', year: 'numeric', timeZone: 'UTC' },
});

export async function* dailyCsv({ codes, days }: ReferenceTable): AsyncGenerator<string> {
  for await (const { date, rates } of days) {
    const texts = textsOf(rates);
    const quoted = codes.filter((code) => texts.has(code));
    const values = quoted.map((code) => padded(code, texts.get(code) ?? ''));
    yield [
      ['Date', ...quoted],
      [DAY.format(new Date(date)), ...values],
    ]
      .map((cells) => `${cells.join(', ')}, \n`)
      .join('');
    return;
  }
}

export async function* historyCsv({ codes, days }: ReferenceTable): AsyncGenerator<string> {
  yield `Date,${codes.join()},\n`;
  for await (const { date, rates } of days) {
    const texts = textsOf(rates);
    yield `${date},${codes.map((code) => texts.get(code) ?? 'N/A').join()},\n`;
  }
}
