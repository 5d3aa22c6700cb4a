import { type Feed, FeedError, noData, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.bct.gov.tn/bct/siteprod';

/** Central Bank of Tunisia: average interbank rates in dinars for a stated number of units, one page per day. */
export const feed: Feed = {
  key: 'BCT',
  dayByDay: true,
  backfillDays: 30,

  async *read(window, { http }) {
    for (const date of weekdaysOf(window)) {
      const response = await http.post(`${SITE}/cours_archiv.jsp`, {
        form: { input: date, langue: '_AN' },
        headers: { referer: `${SITE}/cours_archive.jsp` },
      });
      // Its meta tag states a wrong charset.
      const page = htmlPage(response, 'utf-8');
      const text = page.text();
      const printed = /Journ.e du\s*(\d{2}\/\d{2}\/\d{4})/.exec(text)?.[1];
      if (printed === undefined && text.includes('Exhausted Resultset')) {
        yield noData(response, 'the page says "Exhausted Resultset"');
      } else if (printed !== undefined && parseDate(printed, 'DD/MM/YYYY') !== date) {
        yield noData(response, 'for a day without a market the page shows that of a neighbour');
      } else if (printed !== undefined) {
        // The first table. The second is for banknotes and cheques.
        const records = tableRecords(page, 'table', ['Sigle', 'Unité', 'Valeur'], response);
        yield ratesFrom(
          response,
          { from: date, to: date },
          records,
          ({ Sigle: base, Unité: units, Valeur }) => ({
            date,
            base,
            quote: 'TND',
            rate: numberOf(Valeur, ','),
            units: numberOf(units, ','),
          }),
        );
      } else {
        throw new FeedError(
          `${response.url}: no "Journée du …" on the page for ${date}: blocked or redesigned`,
        );
      }
    }
  },
};
