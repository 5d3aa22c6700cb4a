import { expect, test } from 'vitest';
import type { RateRow } from '../../../../worker/feeds/feed.js';
import { httpAnswer } from '../../../../worker/feeds/http/response.js';
import { numberOrNaN, readable } from '../../../../worker/feeds/toolbox/readable.js';

const answer = httpAnswer({
  url: 'https://bank.example/rates',
  status: 200,
  headers: new Map(),
  cookies: [],
  bytes: new Uint8Array(),
});
const row = (rate: number): RateRow => ({ date: '2026-03-02', base: 'USD', quote: 'TND', rate });

test('a number where the text is one, NaN for a blank or a note', () => {
  expect(numberOrNaN('1.953,02', ',')).toBe(1953.02);
  for (const text of ['', ' ', 'N/A', '1.2.3', undefined]) expect(numberOrNaN(text)).toBeNaN();
});

test('rows pass as they come where one of them has a rate, and where there are none', () => {
  const rows = [row(Number.NaN), row(3.1), row(0)];
  expect([...readable(rows, answer)]).toEqual(rows);
  expect([...readable([], answer)]).toEqual([]);
});

test('rows without a single rate are another layout', () => {
  expect(() => [...readable([row(Number.NaN), row(0)], answer)]).toThrow(
    'https://bank.example/rates: none of its 2 rates can be read',
  );
});
