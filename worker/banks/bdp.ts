import * as z from 'zod';
import { type Feed, FeedError, type Reading, ratesFrom, skipped, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://bpstat.bportugal.pt/data/v1/domains/29/datasets/23e0cdd56bddb4ad3016a9c3ad63a539/';

/** The bank's own daily prices in escudos: not the euro's later ones, nor those of a commercial source. */
const FILTERS = ['13:794', '18:35', '40:4263'];
const COUNTERPARTY = '12';

const STEP_DAYS = 1826;
const MOST_PAGES = 100;

const category = z.object({ category: z.object({ index: z.array(z.string()) }) });
const series = z.object({
  label: z.string(),
  dimension_category: z.array(z.object({ dimension_id: z.number(), category_id: z.number() })),
});
const schema = z.object({
  /** The URL of the page itself. */
  href: z.url().optional(),
  dimension: z.object({ [COUNTERPARTY]: category.optional(), reference_date: category.optional() }),
  value: z.array(z.number().nullable()),
  // Strict, because the last page has no `next_page`, and a renamed field would be read as the end.
  extension: z.strictObject({
    series: z.array(series),
    next_page: z.string().optional(),
    num_series: z.number().optional(),
    obs_updated_at: z.string().optional(),
  }),
});

/**
 * Banco de Portugal: escudos for one unit of each currency, 1987 to 1998, in pages of ten series (JSON-stat). A page may
 * have an eleventh row of values without its label. The next page repeats the row with its label.
 */
export const feed: Feed = {
  key: 'BDP',
  pauseMs: 200,
  backfillDays: STEP_DAYS,
  empty: 'a window without observations has neither dates nor series',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      for (let page = 1; ; page++) {
        // The service's own URL of the next page lacks two of the filters.
        const query = { lang: 'EN', page, dim_cats: FILTERS, obs_since: asked.from, obs_to: asked.to };
        const response = await http.get(ENDPOINT, { query });
        const content = parseJson(response, schema);
        const shown = content.href && new URL(content.href).searchParams.get('page');
        if (shown && shown !== String(page))
          throw new FeedError(`${response.url}: is page ${shown}, not ${page}`);
        yield readingOf(content, asked, response);
        if (!content.extension.next_page) break;
        if (page === MOST_PAGES) throw new FeedError(`${response.url}: more than ${MOST_PAGES} pages`);
      }
    }
  },
};

function readingOf(content: z.infer<typeof schema>, asked: Window, response: HttpAnswer): Reading {
  const { dimension, value, extension } = content;
  const ids = dimension[COUNTERPARTY]?.category.index ?? [];
  const dates = dimension.reference_date?.category.index ?? [];
  const codes = new Map(extension.series.flatMap(codeOf));
  // A window without observations has no dates, no values and no series.
  const odd = dates.length === 0 ? extension.series.length > 0 : codes.size === 0;
  // A row without its label is repeated on the next page.
  const isLast = !extension.next_page && ids.length > extension.series.length;
  if (odd || isLast || value.length !== ids.length * dates.length) {
    throw new FeedError(
      `${response.url}: ${value.length} values and ${codes.size} codes in ${extension.series.length} labels for ${ids.length} currencies on ${dates.length} days`,
    );
  }
  return ratesFrom(
    response,
    asked,
    value.map((price, at) => ({
      id: ids[Math.floor(at / dates.length)],
      day: dates[at % dates.length],
      price,
    })),
    ({ id = '', day, price }) =>
      codes.has(id)
        ? { date: parseDate(day, 'YYYY-MM-DD'), base: codes.get(id), quote: 'PTE', rate: price ?? undefined }
        : skipped('a row of values whose label is on the next page'),
  );
}

/** The ID of the values, and the code in the label: `US, Dollars (USD) against Escudo - daily`. */
function codeOf({ label, dimension_category }: z.infer<typeof series>): [id: string, code: string][] {
  const id = dimension_category.find(
    ({ dimension_id }) => dimension_id === Number(COUNTERPARTY),
  )?.category_id;
  const code = /\(([A-Z]{3})\)/.exec(label)?.[1];
  return id === undefined || code === undefined ? [] : [[String(id), code === 'ECU' ? 'XEU' : code]];
}
