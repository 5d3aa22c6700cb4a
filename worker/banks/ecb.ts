import type { Feed } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

/** European Central Bank: what one euro costs, from the SDMX service, all currencies in one answer. */
export const feed: Feed = {
  key: 'ECB',
  backfillDays: 365,

  async *rows({ from, to }, { http }) {
    const answer = await http.get('https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A', {
      query: { format: 'csvdata', startPeriod: from, endPeriod: to },
      // The bank documents 404 for a window without observations, such as a weekend.
      answers: [404],
    });
    if (answer.status === 404) return;
    for (const record of csvRecords(answer, ['FREQ', 'CURRENCY', 'TIME_PERIOD', 'OBS_VALUE'])) {
      const rate = numberOrMissing(record.OBS_VALUE, '.', ['NaN']);
      if (record.FREQ !== 'D' || rate === undefined) continue;
      yield { date: parseDate(record.TIME_PERIOD, 'YYYY-MM-DD'), base: 'EUR', quote: record.CURRENCY, rate };
    }
  },
};
