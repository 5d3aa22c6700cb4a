import { type Feed, FeedError } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

/** The slash at the end belongs there. */
const URL = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/';

/** Bank of Israel: the representative rate in shekels for a power of ten of units, which each row names. */
export const feed: Feed = {
  key: 'BOI',

  async *rows({ from, to }, { http }) {
    const answer = await http.get(URL, {
      query: { 'c[DATA_TYPE]': 'OF00', startperiod: from, endperiod: to, format: 'csv' },
      answers: [404],
    });
    if (answer.status === 404) {
      // The SDMX answer to a window without rates; a moved service answers 404 too, but not in these words.
      if (/no (results|data)/i.test(answer.text())) return;
      throw new FeedError(`${answer.url}: answered 404 without saying that it has no results: moved?`);
    }
    const columns = ['BASE_CURRENCY', 'TIME_PERIOD', 'OBS_VALUE', 'UNIT_MULT'] as const;
    for (const { BASE_CURRENCY: base, TIME_PERIOD, OBS_VALUE, UNIT_MULT } of csvRecords(answer, columns)) {
      const value = numberOrMissing(OBS_VALUE);
      if (!base || !TIME_PERIOD || !value) continue;
      const rate = value / 10 ** (numberOrMissing(UNIT_MULT) ?? 0);
      yield { date: parseDate(TIME_PERIOD, 'YYYY-MM-DD'), base, quote: 'ILS', rate };
    }
  },
};
