import * as z from 'zod';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://cpx.cbc.gov.tw/API/DataAPI/Get?FileName=BP01D01';

/** The ends of the columns' labels, in order: units of the first currency for one of the second. */
const PAIRS =
  'NTD/USD JPY/USD USD/GBP HKD/USD KRW/USD CAD/USD SGD/USD CNY/USD USD/AUD IDR/USD THB/USD MYR/USD PHP/USD USD/EUR DEM/USD FRF/USD NLG/USD VND/USD'
    .split(' ')
    .map((label) => {
      const [quote = '', base = ''] = label.replace('NTD', 'TWD').split('/');
      return { label, base, quote };
    });

const schema = z.object({
  data: z.object({
    dataSets: z.array(z.array(z.string()).length(1 + PAIRS.length)).min(1),
    structure: z.object({ Table1: z.array(z.object({ data: z.string() })) }),
  }),
});

/**
 * Central Bank of the Republic of China (Taiwan): interbank rates against the US dollar, the whole archive in one file. Each
 * month is added early in the next. Sterling, the Australian dollar and the euro are priced in dollars, and the dollar in
 * all others.
 */
export const feed: Feed = {
  key: 'CBC',

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT);
    const { dataSets, structure } = parseJson(response, schema).data;
    for (const [at, { label }] of PAIRS.entries()) {
      const found = structure.Table1[at]?.data.trim();
      if (found?.endsWith(label) !== true) {
        throw new FeedError(`${response.url}: column ${at + 1} is ${found ?? 'missing'}, not ${label}`);
      }
    }
    const records = dataSets.flatMap(([day, ...values]) =>
      PAIRS.map((pair, at) => ({ day, ...pair, value: values[at] })),
    );
    yield ratesFrom(response, 'any day', records, ({ day, base, quote, value }) => ({
      date: parseDate(day, 'YYYYMMDD'),
      base,
      quote,
      rate: numberOrMissing(value, '.', ['-']),
    }));
  },
};
