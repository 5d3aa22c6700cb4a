import { expect, it } from 'vitest';
import { greeting } from '../../../core/start/greeting.js';

it.each([
  ['2026-03-05', true, 'The newest rates are of 2026-03-05, 4 days old. The banks are being read.'],
  ['2026-03-08', true, 'The newest rates are of 2026-03-08, 1 day old. The banks are being read.'],
  ['2026-03-09', true, 'The newest rates are of 2026-03-09. The banks are being read.'],
  ['2026-03-10', true, 'The newest rates are of 2026-03-10. The banks are being read.'],
  [
    '2026-03-05',
    false,
    'The newest rates are of 2026-03-05, 4 days old. Reading the banks is off (SCHEDULE=off).',
  ],
  [undefined, true, 'There are no rates yet. The banks are being read.'],
])('with newest rates of %s, reading: %s', (newest, isReading, line) => {
  const lines = greeting({ url: 'http://here:1', newest }, { today: '2026-03-09', isReading }).split('\n');
  expect(lines).toEqual([
    'Almanac listens on http://here:1',
    'The reference is at http://here:1/docs',
    line,
    'Press Ctrl-C to stop.',
    '',
  ]);
});
