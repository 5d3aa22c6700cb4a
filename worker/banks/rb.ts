import * as z from 'zod';
import { type Feed, noData, ratesFrom, skipped } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.riksbank.se/swea/v1/Observations/ByGroup/130';
const STEP_DAYS = 365;
const SERIES = /^SEK([A-Z]{3})PMI$/;

const schema = z.array(z.object({ seriesId: z.string(), date: z.string(), value: z.number().nullable() }));

/**
 * Sveriges Riksbank: the indicative middle rate in kronor for one unit, all series of the group in one response. The bank
 * extends its euro series back with the ECU, which is a separate currency here.
 */
export const feed: Feed = {
  key: 'RB',
  pauseMs: 1000,
  backfillDays: STEP_DAYS,
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const response = await http.get(`${ENDPOINT}/${asked.from}/${asked.to}`);
      if (response.bytes.length === 0) {
        yield noData(response, 'a window without rates is an empty body');
        continue;
      }
      yield ratesFrom(response, asked, parseJson(response, schema), ({ seriesId, date: day, value }) => {
        if (seriesId === 'SEKETT') return skipped('the krona against itself');
        const code = SERIES.exec(seriesId)?.[1];
        return { date: parseDate(day, 'YYYY-MM-DD'), base: code, quote: 'SEK', rate: value ?? undefined };
      });
    }
  },
};
