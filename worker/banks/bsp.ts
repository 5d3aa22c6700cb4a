import * as z from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, oneOfMany, ratesFrom, withSides } from '../feeds/feed.js';
import type { HttpAnswer, HttpClient } from '../feeds/http/client.js';
import { datedBulletins, type ListPage, walkNewestFirst } from '../feeds/toolbox/bulletins.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { pdfLines } from '../feeds/toolbox/pdf.js';

const SITE = 'https://www.bsp.gov.ph';
const LIST = `${SITE}/_api/web/lists/getByTitle('RERB')/items?$top=100&$orderby=Id+desc&$expand=AttachmentFiles&$select=Id,Title,AttachmentFiles`;
const FIRST_WITH_TEXT = '2017-11-06';
/** A bulletin's title is its date, such as 29May2026 or 4Sept2018. Other titles are notices. */
const TITLE = /^\d{1,2}\p{L}{3,9}\d{4}$/u;
const DAY = /^\d{1,2} \p{L}+ \d{4}$/u;
const PRICE = /BSP (\w+) Rate(?: \(T\/T\))?:\s*PHP\s+([\d.,]+)/;

const attachment = z.object({ ServerRelativeUrl: z.string().startsWith('/') });
const bulletin = z.object({
  Title: z.string().trim(),
  AttachmentFiles: z.object({ results: z.array(attachment) }),
});
const schema = z.object({
  d: z.object({ results: z.array(bulletin), __next: z.string().startsWith(`${SITE}/`).optional() }),
});

/**
 * Bangko Sentral ng Pilipinas: the bank's own reference rate, pesos for a dollar, from one PDF bulletin per day. Its table
 * of currencies comes from an agency and is not read. Bulletins before 2017-11-06 are images without text.
 */
export const feed: Feed = {
  key: 'BSP',
  dayByDay: true,
  backfillDays: 30,
  reading: 3,
  blank: 'a rate of zero stands for none',

  async *read(window, { http, navigation }) {
    const { bulletins, oldest } = await walkNewestFirst(window, pagesOf(navigation));
    if (bulletins.size === 0) yield noData(oldest, 'the list has no bulletin of these days');
    for (const [date, path] of [...bulletins].reverse()) {
      yield await oneOfMany({ from: date, to: date }, async () => rateOf(await http.get(SITE + path), date));
    }
  },
};

async function* pagesOf(navigation: HttpClient): AsyncGenerator<ListPage> {
  for (let address: string | undefined = LIST; address !== undefined; ) {
    const answer = await navigation.get(address, { headers: { accept: 'application/json;odata=verbose' } });
    const { results, __next }: z.infer<typeof schema>['d'] = parseJson(answer, schema).d;
    const titled = results.filter(({ Title }) => TITLE.test(Title));
    const entries = titled.flatMap(({ Title: day, AttachmentFiles: { results: files } }) =>
      files.slice(0, 1).map((file) => ({ day, path: file.ServerRelativeUrl })),
    );
    yield { answer, bulletins: datedBulletins(entries, 'DMonYYYY', answer) };
    address = __next;
  }
}

async function rateOf(response: HttpAnswer, date: CalendarDate) {
  const lines = await pdfLines(response);
  if (lines.length === 0 && date < FIRST_WITH_TEXT)
    return noData(response, 'bulletins before 2017-11-06 are images');
  const day = parseDate(lines.find(({ text }) => DAY.test(text))?.text, 'D Mon YYYY');
  if (day !== date) throw new FeedError(`${response.url}: the bulletin of ${day}, not of ${date}`);
  const printed = lines.map(({ text }) => PRICE.exec(text) ?? []);
  const prices = new Map(printed.map(([, name, price]) => [name, price]));
  const reference = prices.get('Reference');
  if (reference === undefined) throw new FeedError(`${response.url}: no line "BSP Reference Rate"`);
  return ratesFrom(response, { from: date, to: date }, [prices], () => ({
    date,
    base: 'USD',
    quote: 'PHP',
    ...withSides(numberOrMissing, reference, prices.get('Buying') ?? null, prices.get('Selling') ?? null),
  }));
}
