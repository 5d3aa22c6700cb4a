import { expect, it } from 'vitest';
import { consequenceOf } from '../../../../core/domain/blend/consequence.js';

it.each([
  ['2026-03-15', 0.9],
  ['2026-03-16', null],
])('a blend of %s replaces the one that counted on that day: %s', (date, before) => {
  const known = { quote: 'EUR', date: '2026-03-01', rate: 0.9 };
  const { largest } = consequenceOf([known], [known, { quote: 'EUR', date, rate: 1 }]);
  expect(largest).toEqual([{ quote: 'EUR', date, before, after: 1 }]);
});
