import { type Feed, mismatch, ratesFrom } from '../feeds/feed.js';
import { monthsOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';
import { francLines } from './bazg.js';

// Descriptions of the service disagree on the name of the root, and no response has been recorded.
const ROOT = /<(monatsmittelkurse?)\b/;
const ENDPOINT = 'https://www.backend-rates.bazg.admin.ch/api/xmlavgmonth';

/**
 * Swiss customs: the monthly means for VAT, in francs for one, a hundred, a thousand or ten thousand units. The list of a
 * month is published on the 25th of the month before, but is provisional until the month begins, and is only read then.
 */
export const feed: Feed = {
  key: 'BAZGMONTH',
  pauseMs: 200,
  backfillDays: 365,
  correctionDays: 31,
  // The first month that the service is known to have. It documents no response for a month without a list.
  firstDay: '2026-07-01',
  unasked: 'no month begins in the window',

  async *read(window, { http, today }) {
    for (const { year, first } of monthsOf(window)) {
      if (first < window.from || first > today) continue;
      const response = await http.get(ENDPOINT, { query: { j: year, m: first.slice(5, 7) } });
      const root = xmlRoot(response, ROOT.exec(response.text())?.[1] ?? 'monatsmittelkurs');
      const month = root.only('monat').ownText;
      if (month !== first.slice(0, 7)) {
        yield mismatch(response, `the list of ${month}, not of the requested month`);
        continue;
      }
      yield ratesFrom(response, { from: first, to: first }, francLines(root, response.url), (line) => ({
        ...line,
        date: first,
        quote: 'CHF',
      }));
    }
  },
};
