import { expect, test } from 'vitest';
import { parseDate } from '../../../../worker/feeds/toolbox/dates.js';

test.each([
  ['68', '2068'],
  ['69', '1969'],
  ['70', '1970'],
  ['99', '1999'],
  ['00', '2000'],
])('the year %s is %s', (short, year) => {
  expect(parseDate(`31.12.${short}`, 'DD.MM.YY')).toBe(`${year}-12-31`);
});
