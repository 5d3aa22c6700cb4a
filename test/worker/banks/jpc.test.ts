import { feed } from '../../../worker/banks/jpc.js';
import { casesOf, makePdf } from './cases.js';

const FOLDER = 'GET www.customs.go.jp/tetsuzuki/kawase';
const NEW = `${FOLDER}/`;
const week = (days: string, year = '2026') => `kawase${year}/kouji-rate${days}.pdf`;
const WEEK = week('20260906-20260912');
const index = (...files: string[]) => ({
  headers: { 'content-type': 'text/html' },
  body: `<html><body><table><tbody><tr>${files.map((file) => `<td><a href="/tetsuzuki/kawase/${file}">x</a></td>`).join('')}</tr></tbody></table></body></html>`,
});

/** A code, its figure for one unit, that for a hundred, a remark. */
type Line = [code: string, ...more: (string | undefined)[]];
/** Codes of no currency (JAA to JCH), so that there are as many figures as a list has. */
const FILLERS = Array.from({ length: 60 }, (_, at): Line => {
  const letter = (index: number) => String.fromCharCode(65 + index);
  return [`J${letter(Math.floor(at / 26))}${letter(at % 26)}`, '1.00', undefined];
});
/** Helvetica has equally wide figures and narrow marks. */
const widthOf = (text: string) => [...text].reduce((sum, mark) => sum + (/\d/.test(mark) ? 5.004 : 2.502), 0);
function table(...lines: Line[]): Uint8Array {
  const all: Line[] = [['ISO'], ...lines, ...FILLERS];
  const pages = [all.slice(0, 35), all.slice(35)].map((part) =>
    part.flatMap(([code, single, hundred, remark], row) => {
      const y = 780 - 20 * row;
      const figure = (text: string, right: number) => ({ x: right - widthOf(text), y: y - 1, text });
      return [
        { x: 74, y, text: '304' },
        { x: 346, y, text: code },
        ...(single === undefined ? [] : [figure(single, 457)]),
        ...(hundred === undefined ? [] : [figure(hundred, 540)]),
        ...(remark === undefined ? [] : [{ x: 420, y, text: remark }]),
      ];
    }),
  );
  return makePdf(...pages);
}
const answers = (pdf: Uint8Array) => ({
  [NEW]: index(WEEK, 'kawase2026/csv/260906-260912.csv'),
  [`${FOLDER}/${WEEK}`]: pdf,
});
const won = (...figures: (string | undefined)[]): Line => ['KRW', ...figures];
const { reads, nothing, refuses } = casesOf(feed, '2026-09-06..2026-09-12', undefined, {
  today: '2026-10-01',
});
reads('yen for one or a hundred units, by column', {
  given: answers(
    table(
      ['USD', '1,155.39'],
      won(undefined, '11.41'),
      ['PLZ', '40.17'],
      ['BND', undefined, undefined, 'SGD'],
      ['USD', undefined, undefined, 'note'],
      ['GBP', '0'],
    ),
  ),
  rates: ['2026-09-06 USD/JPY 1155.39, KRW/JPY 0.1141, PLN/JPY 40.17'],
  dropped: { 'unknown-currency': 60 },
  skipped: { 'no rate': 1 },
});
const list = table(won(undefined, '11.41'));
const old = week('20071230-20080105', '2007');
reads('weeks before 2008 are on their own page', {
  days: '2007-12-30..2008-01-05',
  given: { [`${FOLDER}/list.htm`]: index(old), [`${FOLDER}/${old}`]: list },
  rates: ['2007-12-30 KRW/JPY 0.1141'],
});
reads('the week ahead is read once it is there', {
  days: '2026-09-03..',
  today: '2026-09-03',
  given: answers(list),
  rates: ['2026-09-06 KRW/JPY 0.1141'],
});
nothing('no week begins in the window', undefined, '2026-09-08..2026-09-11');
reads('a week ahead that is not there yet is empty', {
  days: '2026-09-14..2026-09-15',
  today: '2026-09-15',
  given: answers(list),
  noData: ['the week ahead is not published yet'],
});
const [before, garbled] = [week('20260830-20260905'), week('20263030-20260905')];
reads('a week that is not linked, or whose list can not be read, costs itself', {
  days: '2026-08-23..2026-09-12',
  given: {
    [NEW]: index(before, WEEK, garbled),
    [`${FOLDER}/${before}`]: makePdf([{ x: 1, y: 1, text: 'redesigned' }]),
    [`${FOLDER}/${WEEK}`]: list,
  },
  rates: ['2026-09-06 KRW/JPY 0.1141'],
  unread: [
    /^2026-08-23..2026-08-23 .*the week of 2026-08-23 is not linked/,
    /^2026-08-30..2026-08-30 .*only 0 figures/,
  ],
});
const elsewhere = (place: string) =>
  [
    `a week at ${place}`,
    { [NEW]: `<a href="${place}/tetsuzuki/kawase/kouji-rate20260906-20260912.pdf">x</a>` },
    /links no week/,
  ] as const;
const texts = ['USD', '1'].map((text, at) => ({ x: 1 + 49 * at, y: 1, text }));
refuses([
  ...['http://169.254.169.254', '//127.0.0.1', '/\\127.0.0.1', 'file://'].map(elsewhere),
  ['one column of figures', answers(table(['USD', '155.39'])), /1 columns/],
  ['a code without figure and remark', answers(table(['USD'], won(undefined, '1'))), /USD has none/],
  ['two figures of a code', answers(table(won('1', '1'))), /KRW has two figures/],
  ['a code twice', answers(table(won(undefined, '1'), won(undefined, '2'))), /both 1 and 2/],
  ['a file of few figures', answers(makePdf(texts)), /only 1 figures/],
]);
