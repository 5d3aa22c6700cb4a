import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { daysOf, recentDays } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

/** The archive labels old rates with today's codes. This is what each code meant before a day. */
const OLD_CODES: Readonly<Record<string, { before: CalendarDate; code: string; units?: number }>> = {
  AZN: { before: '2006-01-01', code: 'AZM' },
  BYN: { before: '2016-07-01', code: 'BYR' },
  RUB: { before: '1998-01-01', code: 'RUR' },
  TMT: { before: '2009-01-01', code: 'TMM' },
  // Its nominal says 1, but its value is for a thousand.
  TRY: { before: '2005-01-01', code: 'TRL', units: 1000 },
};

/**
 * Central Bank of Azerbaijan: manat for a stated number of units of each currency, and for an ounce of four metals. The file
 * of a day contains the newest bulletin, under that bulletin's date.
 */
export const feed: Feed = {
  key: 'CBAR',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 30,
  blank: 'what has no price is blank',
  // The file of the day after the first bulletin. Earlier URLs lead elsewhere.
  firstDay: '1993-11-26',

  async *read(window, { http }) {
    for (const day of daysOf(window)) {
      const response = await http.get(`https://www.cbar.az/currencies/${formatDate(day, 'DD.MM.YYYY')}.xml`);
      const root = xmlRoot(response, 'ValCurs');
      const date = parseDate(root.attribute('Date'), 'DD.MM.YYYY');
      const lists = root.all('ValType');
      if (lists.length === 0 || lists.some((list) => list.all('Valute').length === 0))
        throw new FeedError(`${response.url}: a list (ValType) without currencies (Valute)`);
      const quote = codeOn(date, 'AZN').code;
      yield ratesFrom(response, recentDays(day), root.all('ValType/Valute'), (entry) => {
        const { code, units = 1 } = codeOn(date, entry.attribute('Code') ?? '');
        const rate = numberOrMissing(entry.text('Value'));
        return { date, base: code, quote, rate, units: units * nominalOf(entry.text('Nominal')) };
      });
    }
  },
};

function codeOn(date: CalendarDate, label: string): { code: string; units?: number } {
  const old = OLD_CODES[label];
  if (old && date < old.before) return old;
  return { code: label === 'SDR' ? 'XDR' : label };
}

/** `100`, or `1 t.u.` for a troy ounce. */
function nominalOf(text: string | undefined): number {
  return numberOf(/^(\d+)( t\.u\.)?$/.exec(text ?? '')?.[1] ?? text);
}
