import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.riksbank.se/swea/v1/Observations/ByGroup/130';
const STEP_DAYS = 365;
const SERIES = /^SEK([A-Z]{3})PMI$/;
const EURO_BEGINS = '1999-01-04';

const schema = z.array(
  z.object({ seriesId: z.string().nullish(), date: z.string().nullish(), value: z.number().nullish() }),
);

/**
 * Sveriges Riksbank: the indicative middle rate in kronor for one unit, all series of the group in one answer. The
 * bank prolongs its euro backwards with the ECU, which is a currency of its own here.
 */
export const feed: Feed = {
  key: 'RB',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const answer = await http.get(`${URL}/${from}/${to}`);
      await http.pause(1000);
      if (answer.bytes.length === 0) continue;
      for (const { seriesId, date: day, value } of parseAnswer(schema, answer)) {
        // SEKETT is the krona against itself.
        const code = SERIES.exec(seriesId ?? '')?.[1];
        if (!code || !day || !value) continue;
        const date = parseDate(day, 'YYYY-MM-DD');
        const base = code === 'EUR' && date < EURO_BEGINS ? 'XEU' : code;
        yield { date, base, quote: 'SEK', rate: value };
      }
    }
  },
};
