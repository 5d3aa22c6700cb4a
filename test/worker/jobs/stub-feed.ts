import type { Feed, RateRow } from '../../../worker/feeds/feed.js';
import { ratesFrom } from '../../../worker/feeds/reading.js';

/** A feed of a bank that is served by a stub: `GET /<key>?from=…&to=…` answers rows. */
export function stubFeed(url: string, key: string, more: Partial<Feed> = {}): Feed {
  return {
    key,
    empty: 'the stub has none',
    ...more,
    async *read({ from, to }, { http }) {
      const response = await http.get(`${url}/${key}`, { query: { from, to } });
      yield ratesFrom(response, 'any day', JSON.parse(response.text()) as RateRow[], (row) => row);
    },
  };
}
