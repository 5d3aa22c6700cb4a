import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, oneOfMany, ratesFrom, withSides } from '../feeds/feed.js';
import type { HttpAnswer, HttpClient } from '../feeds/http/client.js';
import { datedBulletins, type ListPage, walkNewestFirst } from '../feeds/toolbox/bulletins.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate, withoutAccents } from '../feeds/toolbox/dates.js';
import { htmlPage, linksOf } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { pdfLines } from '../feeds/toolbox/pdf.js';

const SITE = 'https://www.brb.bi';
const LIST = `${SITE}/en/affichagetoustauxchange`;
const LINK = /^\/sites\/default\/files\/\d{4}-\d{2}\/Cours%20de%20change%20du%20(\d{2}-\d{2}-\d{4}).*\.pdf$/;
/** A row of the table: one unit, a name and three prices. Some names are followed by a star. */
const PRICED = /^1 .*(?:\s\S+){3}$/;
const DAY = /EN DATE DU (\d{1,2} \p{L}+ \d{4})/u;
const ROW = /^1 (.+?) ?\*? ([\d.,]+) ([\d.,]+) ([\d.,]+)$/;

const CODES = codeTable(`
  CAD dollar canadien, DKK couronne danoise, JPY yen japonais, NOK couronne norvegienne,
  GBP livre sterling, SEK couronne suedoise, USD dollar usa, CHF franc suisse, EUR euro,
  KES shilling kenyan, XDR dts, ZAR rand sud-africain, AUD dollar australien, TZS shilling tanzanien,
  UGX shilling ougandais, RWF franc rwandais, CNY yuan renmimbi, KWD dinar kowetien, SAR riyal saoudien`);

/**
 * Bank of the Republic of Burundi: the middle rate in Burundian francs, from one PDF per day that is linked in a paged list.
 */
export const feed: Feed = {
  key: 'BRB',
  reading: 2,
  dayByDay: true,
  backfillDays: 30,

  async *read(window, { http, navigation }) {
    const { bulletins, oldest } = await walkNewestFirst(window, pagesOf(navigation));
    if (bulletins.size === 0) yield noData(oldest, 'the list links no bulletin of these days');
    for (const [date, path] of bulletins) {
      yield await oneOfMany({ from: date, to: date }, async () => ratesOf(await http.get(SITE + path), date));
    }
  },
};

async function ratesOf(response: HttpAnswer, date: CalendarDate) {
  if (response.bytes.length === 0) return noData(response, 'some bulletins of the archive are empty files');
  const lines = await pdfLines(response);
  const day = parseDate(lines.flatMap(({ text }) => DAY.exec(text) ?? [])[1], 'D Mon YYYY');
  if (day !== date) throw new FeedError(`${response.url}: "EN DATE DU" ${day}, not ${date}`);
  const rows = lines.filter((line) => PRICED.test(line.text));
  return ratesFrom(response, { from: date, to: date }, rows, ({ text }) => {
    const [, label = '', buying, middle, selling] = ROW.exec(text) ?? [];
    // The decimal separator varies from day to day.
    const prices = withSides((price) => numberOf(price?.replace(',', '.')), middle, buying, selling);
    return { date, base: CODES.get(withoutAccents(label).toLowerCase()), quote: 'BIF', ...prices };
  });
}

/** The pages of the list, which are linked by number (`?page=3`). It ends with the highest linked number. */
export async function* pagesOf(navigation: Pick<HttpClient, 'get'>): AsyncGenerator<ListPage> {
  for (let [number, last] = [0, 0]; number <= last; number++) {
    const answer = await navigation.get(LIST, { query: { page: number || undefined } });
    const page = htmlPage(answer);
    last = Math.max(last, ...linksOf(page, /[?&]page=(\d+)/).map(([, linked]) => Number(linked)));
    const links = linksOf(page, LINK).map(([path, day = '']) => ({ day, path }));
    yield { answer, bulletins: datedBulletins(links, 'DD-MM-YYYY', answer) };
  }
}
