import { feed } from '../../../worker/banks/rb.js';
import { type Answer, casesOf } from './cases.js';

const on = (days: string, answer: Answer) => ({
  [`GET api.riksbank.se/swea/v1/Observations/ByGroup/130/${days}`]: answer,
});
const observations = (...rows: [string | null, string | null, number | string | null][]) =>
  JSON.stringify(rows.map(([seriesId, date, value]) => ({ seriesId, date, value })));
const { codes } = casesOf(feed, '2026-03-24..2026-03-25');
const { reads, empty } = casesOf(feed, '2026-03-24..2026-03-25', (answer: Answer) =>
  on('2026-03-24/2026-03-25', answer),
);
reads('kronor for one unit of each series', {
  given: observations(
    ['SEKJPYPMI', '2026-03-24', 0.05885],
    ['SEKETT', '2026-03-24', 1],
    ['SEKUSDPMI', '2026-03-25', null],
    ['SEKUSDPMI', '2026-03-24', 0],
    [null, '2026-03-24', 2],
  ),
  rates: ['2026-03-24 JPY/SEK 0.05885'],
});
codes(
  ({ day, code, price }) => on(`${day}/${day}`, observations([`SEK${code}PMI`, day, price])),
  '1997-12-30 RUB 0.0013 1 RUR/SEK 0.0013',
  '1998-01-02 RUB 1.3 1 RUB/SEK 1.3',
  '1998-12-30 EUR 9.5 1 XEU/SEK 9.5',
  '1999-01-04 EUR 9.4696 1 EUR/SEK 9.4696',
);
empty('an empty list is an empty window', '[]');
empty('an empty body is an empty window', '');
empty('no content is an empty window', { status: 204 });
