import { z } from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, type Window } from '../feeds/feed.js';
import type { HttpClient } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { pdfLines } from '../feeds/toolbox/pdf.js';

const SITE = 'https://www.bsp.gov.ph';
const LIST = `${SITE}/_api/web/lists/getByTitle('RERB')/items?$top=100&$orderby=Id+desc&$expand=AttachmentFiles&$select=Id,Title,AttachmentFiles`;
const MOST_PAGES = 100;

/** A bulletin's title is its date, such as 29May2026. */
const TITLE = /^\d{2}\p{L}{3}\d{4}$/u;
const REFERENCE_RATE = /BSP Reference Rate:\s*PHP\s+([\d.,]+)/;

const attachment = z.object({ ServerRelativeUrl: z.string().startsWith('/') });
const schema = z.object({
  d: z.object({
    results: z.array(
      z.object({
        Title: z.string().trim().nullish(),
        AttachmentFiles: z.object({ results: z.array(attachment) }).nullish(),
      }),
    ),
    __next: z.string().startsWith(`${SITE}/`).nullish(),
  }),
});

/**
 * Bangko Sentral ng Pilipinas: the bank's own reference rate, pesos for a dollar, from a bulletin a day as PDF. The
 * table of currencies there is an agency's and is not read. Bulletins before 2017-11-06 are images without text.
 */
export const feed: Feed = {
  key: 'BSP',
  backfillDays: 30,

  async *rows(window, { http }) {
    const bulletins = [...(await bulletinsOf(window, http))].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [date, path] of bulletins) {
      await http.pause(500);
      const answer = await http.get(`${SITE}${path}`);
      const lines = await pdfLines(answer);
      if (lines.length === 0) continue;
      const printed = lines.map(({ text }) => REFERENCE_RATE.exec(text)?.[1]).find((found) => found);
      if (printed === undefined) throw new FeedError(`${answer.url}: no line "BSP Reference Rate: PHP"`);
      const rate = numberOf(printed);
      if (rate !== 0) yield { date, base: 'USD', quote: 'PHP', rate };
    }
  },
};

/** The addresses of the window's bulletins. The list is newest first, so it is read down to the window's start. */
async function bulletinsOf({ from, to }: Window, http: HttpClient): Promise<Map<CalendarDate, string>> {
  const paths = new Map<CalendarDate, string>();
  let address: string | null | undefined = LIST;
  for (let page = 1; address; page++) {
    if (page > MOST_PAGES) throw new FeedError(`${SITE}: a list of more than ${MOST_PAGES} pages`);
    const answer = await http.get(address, { headers: { accept: 'application/json;odata=verbose' } });
    const { results, __next } = parseAnswer(schema, answer).d;
    address = results.length > 0 ? __next : undefined;
    for (const { Title, AttachmentFiles } of results) {
      if (!Title || !TITLE.test(Title)) continue;
      const date = parseDate(Title, 'DDMonYYYY');
      if (date < from) address = undefined;
      const path = AttachmentFiles?.results[0]?.ServerRelativeUrl;
      if (path && date >= from && date <= to && !paths.has(date)) paths.set(date, path);
    }
  }
  return paths;
}
