import * as z from 'zod';
import { periodAround } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';

const ENDPOINT = 'https://www.stat-search.boj.or.jp/api/v1/getDataCode';

/** Spot rates at 17:00 in Tokyo: yen per dollar, and dollars per euro. */
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
  empty: 'months without data are an empty list',
  blank: 'days without a market are null',

  async *read({ from, to }, { http }) {
    const response = await http.get(ENDPOINT, {
      query: {
        format: 'json',
        lang: 'en',
        db: 'FM08',
        code: Object.keys(SERIES).join(','),
        startDate: formatDate(from, 'YYYYMM'),
        endDate: formatDate(to, 'YYYYMM'),
      },
      // A refusal has its reason in a body of the same format.
      answers: [400],
    });
    const { STATUS, MESSAGEID, NEXTPOSITION, RESULTSET } = parseJson(response, schema);
    if (STATUS !== 200 || !RESULTSET) throw new FeedError(`${response.url}: status ${STATUS}, ${MESSAGEID}`);
    if (NEXTPOSITION) throw new FeedError(`${response.url}: only a part, up to ${NEXTPOSITION}`);
    const records = RESULTSET.flatMap(({ SERIES_CODE, VALUES: { SURVEY_DATES, VALUES } }) => {
      if (SURVEY_DATES.length === VALUES.length)
        return SURVEY_DATES.map((day, at) => ({ SERIES_CODE, day, value: VALUES[at] }));
      throw new FeedError(`${response.url}: ${SERIES_CODE} has not as many values as dates`);
    });
    yield ratesFrom(
      response,
      { from: periodAround('month', from).from, to: periodAround('month', to).to },
      records,
      ({ SERIES_CODE, day, value }) => ({
        date: parseDate(String(day), 'YYYYMMDD'),
        base: SERIES[SERIES_CODE]?.base,
        quote: SERIES[SERIES_CODE]?.quote,
        rate: value ?? undefined,
      }),
    );
  },
};
