import { periodAround } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { csvLines, requireEqualLength } from '../feeds/toolbox/csv.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { figuresUnder } from '../feeds/toolbox/headings.js';
import { hiddenFields, htmlPage } from '../feeds/toolbox/html.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { yearsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://eservices.mas.gov.sg/statistics/msb/ExchangeRates.aspx';
const HEADING = 'End of Period';
const TOKENS = ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'] as const;
/** The form has a checkbox for each, in this order. The first three are for one unit, the others for a hundred. */
const CODES = codeTable(`
  EUR Euro, GBP Pound Sterling, USD US Dollar, AUD Australian Dollar, CAD Canadian Dollar,
  CNY Chinese Renminbi, HKD Hong Kong Dollar, INR Indian Rupee, IDR Indonesian Rupiah, JPY Japanese Yen,
  KRW Korean Won, MYR Malaysian Ringgit, TWD New Taiwan Dollar, NZD New Zealand Dollar,
  PHP Philippine Peso, QAR Qatar Riyal, SAR Saudi Arabia Riyal, CHF Swiss Franc, THB Thai Baht,
  AED UAE Dirham, VND Vietnamese Dong`);

/** Monetary Authority of Singapore: Singapore dollars for one or a hundred units, whole months from a web form. */
export const feed: Feed = {
  key: 'MAS',
  pauseMs: 1000,
  backfillDays: 365,

  async *read(window, { http, navigation }) {
    for (const { year, from, to } of yearsOf(window)) {
      const page = await navigation.get(ENDPOINT);
      const tokens = hiddenFields(htmlPage(page), TOKENS, page);
      const response = await http.post(ENDPOINT, { form: { ...tokens, ...choices(year, from, to) } });
      if (response.text().includes('No Results Found')) {
        yield noData(response, 'the page says "No Results Found" for months that have no rates yet');
        continue;
      }
      const figures = figuresUnder(datedLines(response), ([first]) => first === HEADING);
      yield ratesFrom(
        response,
        { from: periodAround('month', from).from, to: periodAround('month', to).to },
        figures,
        ({ first, heading, cell }) => {
          const [, units = '1', name = ''] = /Per (?:Unit|(\d+) Units) of (.+)$/.exec(heading) ?? [];
          return {
            date: parseDate(first, 'YYYY Mon D'),
            base: CODES.get(name.trim()),
            quote: 'SGD',
            rate: numberOrMissing(cell),
            units: Number(units),
          };
        },
      );
    }
  },
};

/** The lines with year, month and day in one cell. The file states year and month only where they change. */
function datedLines(response: HttpAnswer): string[][] {
  const lines = csvLines(response, { note: '*' });
  const header = lines.findIndex(([first]) => first === HEADING);
  if (header < 0) throw new FeedError(`${response.url}: no line "${HEADING}"`);
  requireEqualLength(lines.slice(header), response);
  let [year, month] = ['', ''];
  return lines.slice(header).map(([first = '', second = '', day, ...cells], at) => {
    if (at === 0) return [first, ...cells];
    [year, month] = [first || year, second || month];
    return [`${year} ${month} ${day}`, ...cells];
  });
}

/** The values of the form: daily rates of all currencies in the months of a year. */
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
