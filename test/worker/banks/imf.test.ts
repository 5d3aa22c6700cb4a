import { feed } from '../../../worker/banks/imf.js';
import { casesOf, type SeenRequest } from './cases.js';

const TITLE = 'Representative Exchange Rates for Selected Currencies for March 2026';
const SDR = 'SDRs per Currency unit for March 2026';
const HEADER = 'Currency\tMarch 02, 2026\tMarch 03, 2026';
const text = (...lines: string[]) => lines.join('\r\n');
const reports =
  (representative: string[], sdr: string[] = sdrBeside(representative)) =>
  ({ query }: SeenRequest) =>
    text(
      ...(query.get('reportType') === 'REP' ? representative : sdr),
      '',
      'Notes:',
      '',
      'Rates are in something.',
    );

/** A report with the same days. */
function sdrBeside(representative: string[]): string[] {
  const headings = representative.filter((line) => line.startsWith('Currency'));
  const dollar = (line: string) => line.replace('Currency', 'U.S. dollar').replace(/\t[^\t]*/g, '\t0.65');
  return [SDR, ...headings.flatMap((line) => [line, dollar(line)])];
}
const PLACE = 'GET www.imf.org/external/np/fin/data/rms_mth.aspx';
const { reads, refuses } = casesOf(feed, '2026-03-02..2026-03-03', PLACE, { today: '2026-04-01' });
reads('units per dollar, dollars per unit where the name is marked, and the dollar in SDR', {
  given: reports(
    [
      TITLE,
      HEADER,
      'Euro(1)\t1.169800\tNA',
      'Korean won\tNA\t1,435.400000',
      'U.S. dollar\t1.0\t1.0',
      'Atlantis crown\t2\t2',
      `${TITLE} Continued`,
      'Currency\tMarch 17, 2026',
      'Korean won\t1,440.1',
      'a note about these rates',
    ],
    [SDR, HEADER, 'Euro\t0.85\t0.85', 'U.S. dollar\t0.729624\t'],
  ),
  rates: [
    '2026-03-02 EUR/USD 1.1698',
    '2026-03-03 USD/KRW 1435.4',
    '2026-03-17 USD/KRW 1440.1',
    '2026-03-02 USD/XDR 0.729624',
  ],
  asks: ['SelectDate=2026-03-31', 'SelectDate=2026-03-31'],
});
reads('a name that meant another currency keeps that one', {
  given: reports([TITLE, 'Currency\tDecember 31, 2012\tJanuary 01, 2013', 'Zambian kwacha\t5180\t5.18']),
  rates: ['USD/ZMK 5180', 'USD/ZMW 5.18', 'USD/XDR 0.65', 'USD/XDR 0.65'].map(
    (rate, at) => `${at % 2 === 0 ? '2012-12-31' : '2013-01-01'} ${rate}`,
  ),
});
reads('a title without a table is a month that has just begun', {
  days: '2026-03-01..2026-03-01',
  today: '2026-03-01',
  given: reports([TITLE]),
});
reads('a month before the first is not asked for', { days: '2003-01-01..2003-03-31', asks: [] });
const figures = 'Euro(1)\t1.1\t1.1';
refuses([
  ['a month that is over without a table', reports([TITLE]), /no line of headings/],
  ['days without a figure', reports([TITLE, HEADER, 'Euro(1)\t\t', 'Korean won\t\t']), /none of the 2 lines/],
  ['marks alone', reports([TITLE, HEADER, 'Euro(1)\tNA\tNA']), /marks of "no rate" alone/],
  ['another text', 'Something else\r\n', /its first line is "Something else"/],
  ['the other report', text(TITLE, HEADER, figures, '', 'Notes:'), /"Representative .*, not SDRs per/],
  ['a table without the notes below it', text(TITLE, HEADER, figures, ''), /no note "Notes:"/],
]);
