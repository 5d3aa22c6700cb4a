import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const URL = 'https://www.stat-search.boj.or.jp/api/v1/getDataCode';

/** Spot rates seen at 17:00 in Tokyo: yen per dollar, and dollars per euro. */
const SERIES: Readonly<Record<string, { base: string; quote: string }>> = {
  FXERD04: { base: 'USD', quote: 'JPY' },
  FXERD34: { base: 'EUR', quote: 'USD' },
};

const schema = z.object({
  STATUS: z.number(),
  MESSAGEID: z.string().optional(),
  NEXTPOSITION: z.number().nullish(),
  RESULTSET: z
    .array(
      z.object({
        SERIES_CODE: z.string(),
        VALUES: z.object({
          SURVEY_DATES: z.array(z.union([z.number(), z.string()])),
          VALUES: z.array(z.number().nullable()),
        }),
      }),
    )
    .optional(),
});

/**
 * Bank of Japan, time-series data search: whole months, with null on days without a market. The bank asks that its
 * service be credited: https://www.stat-search.boj.or.jp/info/api_notice_en.pdf
 */
export const feed: Feed = {
  key: 'BOJ',

  async *rows({ from, to }, { http }) {
    const answer = await http.get(URL, {
      query: {
        format: 'json',
        lang: 'en',
        db: 'FM08',
        code: Object.keys(SERIES).join(','),
        startDate: formatDate(from, 'YYYYMM'),
        endDate: formatDate(to, 'YYYYMM'),
      },
      // A refusal says why in a body of the same form.
      answers: [400, 500, 503],
    });
    const { STATUS, MESSAGEID, NEXTPOSITION, RESULTSET } = parseAnswer(schema, answer);
    if (STATUS !== 200 || !RESULTSET) throw new FeedError(`${answer.url}: status ${STATUS}, ${MESSAGEID}`);
    if (NEXTPOSITION) throw new FeedError(`${answer.url}: only a part, up to ${NEXTPOSITION}`);
    for (const { SERIES_CODE, VALUES } of RESULTSET) {
      const pair = SERIES[SERIES_CODE];
      if (!pair) continue;
      if (VALUES.SURVEY_DATES.length !== VALUES.VALUES.length) {
        throw new FeedError(`${answer.url}: ${SERIES_CODE} has not as many values as dates`);
      }
      for (const [index, day] of VALUES.SURVEY_DATES.entries()) {
        const rate = VALUES.VALUES[index];
        if (rate) yield { date: parseDate(String(day), 'YYYYMMDD'), ...pair, rate };
      }
    }
  },
};
