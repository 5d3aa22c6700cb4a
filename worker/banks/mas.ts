import { type Feed, FeedError } from '../feeds/feed.js';
import { withCookies } from '../feeds/toolbox/cookies.js';
import { csvLines } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage } from '../feeds/toolbox/html.js';
import { numberOrNaN } from '../feeds/toolbox/readable.js';
import { yearsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://eservices.mas.gov.sg/statistics/msb/ExchangeRates.aspx';
const TOKENS = ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'] as const;
/** The form has a box for each, in this order: the first three for one unit, the others for a hundred. */
const CODES: ReadonlyMap<string, string> = new Map(
  `Euro EUR, Pound Sterling GBP, US Dollar USD, Australian Dollar AUD, Canadian Dollar CAD,
Chinese Renminbi CNY, Hong Kong Dollar HKD, Indian Rupee INR, Indonesian Rupiah IDR, Japanese Yen JPY,
Korean Won KRW, Malaysian Ringgit MYR, New Taiwan Dollar TWD, New Zealand Dollar NZD, Philippine Peso PHP,
Qatar Riyal QAR, Saudi Arabia Riyal SAR, Swiss Franc CHF, Thai Baht THB, UAE Dirham AED,
Vietnamese Dong VND`
    .split(/,\s/)
    .map((entry) => [entry.slice(0, -4), entry.slice(-3)]),
);

/** Monetary Authority of Singapore: Singapore dollars for one or a hundred units, whole months from a web form. */
export const feed: Feed = {
  key: 'MAS',
  backfillDays: 365,

  async *rows(window, { http }) {
    for (const { year, from, to } of yearsOf(window)) {
      const session = withCookies(http);
      const page = await session.get(URL);
      const tokens = hiddenFields(htmlPage(page), TOKENS, page);
      const answer = await session.post(URL, { form: { ...tokens, ...choices(year, from, to) } });
      await http.pause(1000);
      // The page comes back, saying so, for months that have no rates yet.
      if (answer.text().includes('No Results Found')) continue;
      const lines = csvLines(answer);
      const header = lines.findIndex(([first]) => first?.startsWith('End of Period'));
      const columns = (lines[header] ?? []).flatMap((label, at) => {
        const [, units = 1, name = ''] = /Per (?:Unit|(\d+) Units) of (.+)$/.exec(label) ?? [];
        const base = CODES.get(name.trim());
        return base === undefined ? [] : [{ base, at, units: Number(units) }];
      });
      if (columns.length === 0)
        throw new FeedError(`${answer.url}: no line "End of Period" names a currency`);
      // Year and month stand only where they change.
      let [yearOfLine, month] = ['', ''];
      for (const cells of lines.slice(header + 1).filter(({ length }) => length >= 4)) {
        [yearOfLine, month] = [cells[0] || yearOfLine, cells[1] || month];
        const date = parseDate(`${yearOfLine} ${month} ${cells[2]}`, 'YYYY Mon D');
        for (const { base, at, units } of columns) {
          if (cells[at]) yield { date, base, quote: 'SGD', rate: numberOrNaN(cells[at]) / units };
        }
      }
    }
  },
};

/** What the form is filled in with: daily rates of all currencies in the months of a year. */
function choices(year: number, from: string, to: string): Record<string, string> {
  const boxes = [...CODES.keys()].map((_, at) =>
    at < 3 ? `EndOfPeriodPerUnitCheckBoxList$${at}` : `EndOfPeriodPer100UnitsCheckBoxList$${at - 3}`,
  );
  const fields = {
    StartYearDropDownList: String(year),
    EndYearDropDownList: String(year),
    StartMonthDropDownList: formatDate(from, 'M'),
    EndMonthDropDownList: formatDate(to, 'M'),
    FrequencyDropDownList: 'D',
    DownloadButton: 'Download',
    ...Object.fromEntries(boxes.map((box) => [box, 'on'])),
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`ctl00$ContentPlaceHolder1$${name}`, value]),
  );
}
