import { excerpt, type Feed, mismatch, noData, ratesFrom, skipped } from '../feeds/feed.js';
import { codeTableIn } from '../feeds/toolbox/code-table.js';
import { csvFigures, csvLines } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.imf.org/external/np/fin/data/rms_mth.aspx';
/** The requested reports, and the start of their titles. */
const TITLES = { REP: 'Representative Exchange Rates', SDRCV: 'SDRs per Currency unit' } as const;

/** Today's codes by the reports' names of currencies, in lower case. */
const CODES = codeTableIn('imf_currency_names.json');

/** Codes that the same names meant before these days. */
const FORMERLY: Readonly<Record<string, readonly [before: string, code: string][]>> = {
  VES: [
    ['2008-01-01', 'VEB'],
    ['2018-08-20', 'VEF'],
  ],
  RON: [['2005-07-01', 'ROL']],
  MZN: [['2006-07-01', 'MZM']],
  ZMW: [['2013-01-01', 'ZMK']],
};

/** The line above the notes, which are free text. */
const NOTES = 'Notes:';

/**
 * International Monetary Fund: representative rates reported by its members, units per dollar, or dollars per unit if the
 * name is marked `(1)`, and the dollar in SDR. Two reports per month, as tab-separated text.
 */
export const feed: Feed = {
  key: 'IMF',
  backfillDays: 365,
  firstDay: '2003-04-01',

  async *read(window, { http, today }) {
    for (const { first, last } of monthsOf(window)) {
      for (const report of ['REP', 'SDRCV'] as const) {
        const query = { SelectDate: last, reportType: report, tsvflag: 'Y' };
        const response = await http.get(ENDPOINT, { query });
        const lines = csvLines(response, { separator: '\t', endsOpen: true });
        const title = lines[0]?.[0] ?? '';
        if (!title.startsWith(TITLES[report])) {
          yield mismatch(response, `its first line is ${excerpt(title)}, not ${TITLES[report]}`);
          continue;
        }
        const isTitleAlone = lines.every((line) => line.length === 1) && !lines.some(isHeading);
        if (isTitleAlone && first <= today && today <= last) {
          yield noData(response, 'at the start of a month there is a title and no table yet');
          continue;
        }
        const figures = csvFigures(response, isHeading, { separator: '\t', note: NOTES });
        yield ratesFrom(
          response,
          { from: first, to: last },
          figures,
          ({ first: name = '', heading, cell }) => {
            const date = parseDate(heading, 'Mon DD, YYYY');
            const code = codeOf(name, date);
            const rate = numberOrMissing(cell, '.', ['NA']);
            if (report === 'SDRCV') {
              return code === 'USD'
                ? { date, base: 'USD', quote: 'XDR', rate }
                : skipped('a cross rate of the fund');
            }
            if (code === 'USD') return skipped('the dollar itself');
            return name.endsWith('(1)')
              ? { date, base: code, quote: 'USD', rate }
              : { date, base: 'USD', quote: code, rate };
          },
        );
      }
    }
  },
};

function isHeading([first]: readonly string[]): boolean {
  return first === 'Currency';
}

function codeOf(name: string, date: string): string | undefined {
  const code = CODES.get(
    name
      .replace(/\(1\)$/, '')
      .trim()
      .toLowerCase(),
  );
  const former = code && FORMERLY[code]?.find(([before]) => date < before);
  return former ? former[1] : code;
}
