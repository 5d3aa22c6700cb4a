import { expect, test } from 'vitest';
import { readerOf } from '../../../src/pages/reader.js';
import { chartTexts } from '../../../src/pages/shared/chart-parts.js';
import type { SeriesRequest, Span } from '../../../src/pages/shared/requests.js';
import type { RateRow } from '../../../src/pages/shared/rows.js';
import { breaking } from './support.js';

const [english, german] = [readerOf('en-GB'), readerOf('de-DE')];
const over = (span: Span): SeriesRequest => ({ base: 'EUR', quote: 'USD', span, newest: '2026-03-20' });
const pair = { base: 'EUR', quote: 'USD' };
function row(date: string, rate: number, stats?: RateRow['stats']): RateRow {
  return { date, ...pair, rate, ...(stats && { stats }) };
}
/** With spaces that may break. */
const textsOf = (...of: Parameters<typeof chartTexts>): ReturnType<typeof chartTexts> =>
  JSON.parse(breaking(JSON.stringify(chartTexts(...of))));

test('days have their lowest and highest, and how much they have changed', () => {
  const rows = [row('2026-03-18', 1.2), row('2026-03-19', 1.1), row('2026-03-20', 1.15)];
  expect(textsOf(rows, over('1m'), english)).toEqual({
    newest: { rate: '1.1500', when: '20 Mar 2026' },
    change: '−4.17% since 18 Mar 2026',
    direction: 'down',
    low: { rate: '1.1000', when: '19 Mar 2026' },
    high: { rate: '1.2000', when: '18 Mar 2026' },
  });
  expect(chartTexts([], over('1m'), english)).toBeUndefined();
});

const first = { first: 1, last: 1.1, last_date: '2025-03-21', low: 0.9, high: 1.2 };
const last = { first: 1.1, last: 1.05, last_date: '2026-03-20', low: 1.04, high: 1.3 };

test('weeks and months are described by their daily rates', () => {
  const rows = [row('2025-03-17', 1.05, first), row('2026-03-16', 1.11, last)];
  expect(textsOf(rows, over('5y'), german)).toEqual({
    newest: { rate: '1,0500', when: '20. März 2026' },
    change: '+5,00 % seit März 2025',
    direction: 'up',
    low: { rate: '0,90000', when: 'Woche vom 17. März 2025' },
    high: { rate: '1,3000', when: 'Woche vom 16. März 2026' },
  });
});

test('weeks and months begin with the range, where it begins within one of them', () => {
  // Five years before 6 March 2026 is in a week that began in February.
  const rows = [row('2021-02-22', 1, first), row('2026-03-16', 1.11, last)];
  const { change } = textsOf(rows, { ...over('5y'), newest: '2026-03-06' }, english) ?? {};
  expect(change).toBe('+5.00% since Mar 2021');
});

test('weeks and months count for nothing where the range has no day of them', () => {
  const none = { first: null, last: null, last_date: null, low: null, high: null };
  const rows = [row('2025-03-17', 1, none), row('2026-03-16', 1, last)];
  const { change, low } = textsOf(rows, over('5y'), english) ?? {};
  expect([change, low?.rate]).toEqual(['−4.55% since Mar 2026', '1.0400']);
});
