import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError } from '../feeds/feed.js';
import type { HttpClient } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { htmlPage, linksOf } from '../feeds/toolbox/html.js';
import { withoutAccents } from '../feeds/toolbox/month-names.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { isPdf, pdfLines } from '../feeds/toolbox/pdf.js';

const SITE = 'https://www.brb.bi';
const LIST = `${SITE}/en/affichagetoustauxchange`;
const LINK = /^\/sites\/default\/files\/\d{4}-\d{2}\/Cours%20de%20change%20du%20(\d{2}-\d{2}-\d{4}).*\.pdf$/;
const ROW = /^1 (.+?) ?\*? ([\d.,]+) ([\d.,]+) ([\d.,]+)$/;

const CODES: Readonly<Record<string, string>> = {
  'dollar canadien': 'CAD',
  'couronne danoise': 'DKK',
  'yen japonais': 'JPY',
  'couronne norvegienne': 'NOK',
  'livre sterling': 'GBP',
  'couronne suedoise': 'SEK',
  'dollar usa': 'USD',
  'franc suisse': 'CHF',
  euro: 'EUR',
  'shilling kenyan': 'KES',
  dts: 'XDR',
  'rand sud-africain': 'ZAR',
  'dollar australien': 'AUD',
  'shilling tanzanien': 'TZS',
  'shilling ougandais': 'UGX',
  'franc rwandais': 'RWF',
  'yuan renmimbi': 'CNY',
  'dinar kowetien': 'KWD',
  'riyal saoudien': 'SAR',
};

/** Bank of the Republic of Burundi: the middle rate in Burundian francs, from one PDF a day that a paged list links. */
export const feed: Feed = {
  key: 'BRB',
  backfillDays: 30,

  async *rows({ from, to }, { http }) {
    const wanted = [...(await listBulletins(http, from))].filter(([date]) => date >= from && date <= to);
    let blocked = 0;
    for (const [index, [date, path]] of wanted.entries()) {
      if (index > 0) await http.pause(500);
      const answer = await http.get(`${SITE}${path}`);
      if (!isPdf(answer)) {
        // Some bulletins of the archive are empty files; a page in every place is a firewall's.
        if (answer.bytes.length > 0) blocked++;
        continue;
      }
      const rows = (await pdfLines(answer)).map((line) => ROW.exec(line.text)).filter((row) => row !== null);
      if (rows.length === 0) throw new FeedError(`${answer.url}: a bulletin without rows of rates`);
      for (const [, label = '', , middle = ''] of rows) {
        const base = CODES[withoutAccents(label).toLowerCase()];
        // The decimal mark changes from day to day.
        const rate = numberOf(middle.replace(',', '.'));
        if (base && rate > 0) yield { date, base, quote: 'BIF', rate };
      }
    }
    if (blocked > 0 && blocked === wanted.length) {
      throw new FeedError(`${SITE}: none of ${blocked} bulletins is a PDF: blocked`);
    }
  },
};

/** The bulletins' addresses by date, newest first, from a paged list, back to before the first day wanted. */
async function listBulletins(http: HttpClient, from: CalendarDate): Promise<Map<CalendarDate, string>> {
  const bulletins = new Map<CalendarDate, string>();
  for (let page = 0; ; page++) {
    if (page > 0) await http.pause(500);
    const answer = await http.get(LIST, { query: { page: page || undefined } });
    const links = linksOf(htmlPage(answer), LINK);
    if (page === 0 && links.length === 0) {
      throw new FeedError(`${answer.url}: links no bulletin: blocked, moved or redesigned`);
    }
    const known = bulletins.size;
    const dates = links.map(([path, day = '']) => {
      const date = parseDate(day, 'DD-MM-YYYY');
      if (!bulletins.has(date)) bulletins.set(date, path);
      return date;
    });
    if (bulletins.size === known || dates.some((date) => date < from)) return bulletins;
  }
}
