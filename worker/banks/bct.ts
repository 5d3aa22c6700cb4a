import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { htmlPage, tableCells } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.bct.gov.tn/bct/siteprod';

/** Central Bank of Tunisia: average dinars between banks for so many units, one page a day. */
export const feed: Feed = {
  key: 'BCT',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const date of weekdaysOf(window)) {
      const answer = await http.post(`${SITE}/cours_archiv.jsp`, {
        form: { input: date, langue: '_AN' },
        headers: { referer: `${SITE}/cours_archive.jsp` },
      });
      await http.pause(500);
      // Its meta tag claims another charset than the bytes are in.
      const page = htmlPage(answer, 'utf-8');
      const text = page.text();
      const printed = /Journ.e du\s*(\d{2}\/\d{2}\/\d{4})/.exec(text)?.[1];
      if (printed === undefined && text.includes('Exhausted Resultset')) continue;
      if (printed === undefined)
        throw new FeedError(
          `${answer.url}: no "Journée du …" on the page for ${date}: blocked or redesigned`,
        );
      // For a day without a market the page shows that of a neighbour.
      if (parseDate(printed, 'DD/MM/YYYY') !== date) continue;
      // The first table; the second is of banknotes and cheques.
      const rows = tableCells(page, 'table', answer)
        .filter(([, code = '', , value]) => /^[A-Z]{3}$/.test(code) && value !== undefined)
        .map(([, base = '', unit, value]) => {
          return { date, base, quote: 'TND', rate: printedNumber(value) / printedNumber(unit) };
        });
      if (rows.length === 0) throw new FeedError(`${answer.url}: the table for ${date} holds no currency`);
      yield* readable(rows, answer);
    }
  },
};

function printedNumber(cell = ''): number {
  return numberOrNaN(/[\d.,]+/.exec(cell)?.[0], ',');
}
