import * as z from 'zod';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.chinamoney.com.cn/ags/ms/cm-u-bk-ccpr/CcprHisNew';
/** A page has at most fifty days. */
const PAGE_SIZE = 50;
const STEP_DAYS = 60;
const MOST_PAGES = 20;
const MISSING = ['---'];

const schema = z.object({
  data: z.object({
    head: z.array(z.string()).min(1),
    total: z.number(),
    pageTotal: z.number().nullish(),
    flagMessage: z.string().nullish(),
  }),
  records: z.array(z.object({ date: z.string(), values: z.array(z.string()) })).nullish(),
});

/**
 * China Foreign Exchange Trade System: the central parity of the yuan, ten currencies in yuan and fifteen in units for one
 * yuan, as each label states.
 */
export const feed: Feed = {
  key: 'CFETS',
  backfillDays: STEP_DAYS,
  empty: 'a window without a trading day is an empty list',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      let count = 0;
      for (let pageNum = 1; ; pageNum++) {
        const query = {
          startDate: asked.from,
          endDate: asked.to,
          currency: '',
          pageNum,
          pageSize: PAGE_SIZE,
        };
        const response = await http.post(ENDPOINT, { query });
        const { data, records } = parseJson(response, schema);
        // A refusal has status 200 and a message.
        if (!records)
          throw new FeedError(`${response.url}: no records: ${data.flagMessage || 'no reason given'}`);
        count += records.length;
        const figures = records.flatMap(({ date, values }) =>
          data.head.map((label, at) => ({
            date,
            label,
            value: values[at],
            isWhole: values.length === data.head.length,
          })),
        );
        yield ratesFrom(response, asked, figures, ({ date, label, value, isWhole }) => {
          if (!isWhole) throw new FeedError('a day with another number of values than there are labels');
          const [, units, base, quote] = /^(\d*)([A-Z]{3})\/([A-Z]{3})$/.exec(label) ?? [];
          return {
            date: parseDate(date, 'YYYY-MM-DD'),
            base,
            quote,
            rate: numberOrMissing(value, '.', MISSING),
            units: units ? numberOf(units) : 1,
          };
        });
        if (pageNum < (data.pageTotal ?? 1)) {
          if (pageNum === MOST_PAGES) throw new FeedError(`${response.url}: more than ${MOST_PAGES} pages`);
          continue;
        }
        if (count < data.total) throw new FeedError(`${response.url}: ${count} of ${data.total} days came`);
        break;
      }
    }
  },
};
