import { feed } from '../../../worker/banks/bcccd.js';
import { blockedPage, casesOf, type Two } from './cases.js';

const PLACE = 'GET www.bcc.cd/marche-des-changes/cours-de-change';
const DAY = '2026-09-02';
const entry = (date: string, average: number | null, unit = 1, buy = 1, sell = 2) => ({
  ...{ date, buy, average, sell, unit },
});
const history = (rates: object) => `0:["$","div",null,{"content":{"history":${JSON.stringify(rates)}}}]\n`;
const page = (rates: Record<string, string>) =>
  `<!DOCTYPE html><html><head><title>Cours de change</title></head><body><dl>${Object.entries(rates)
    .map(([code, figure]) => `<div><dt>${code} (cours moyen)</dt><dd>${figure}</dd></div>`)
    .join('')}</dl></body></html>`;
const closed = { status: 404, body: 'not found' };
const { reads, nothing, refuses } = casesOf(feed, `${DAY}..${DAY}`, ([list, day]: Two) => ({
  [PLACE]: list,
  [`${PLACE}/${DAY}`]: day,
}));
reads('the page of the day and the history, of which the page counts', {
  given: [
    history({
      USD: [entry('2026-09-01', 1), entry(DAY, 2263), entry(DAY, 2264, 1, 2212.94, 2315.06)],
      BIF: [entry(DAY, 76, 100, 74, 77)],
    }),
    page({ USD: '2264', EUR: '2 626,1200' }),
  ],
  rates: [`${DAY} USD/CDF 2264, EUR/CDF 2626.12, BIF/CDF 0.76`],
  sides: ['2026-09-02 USD/CDF 2212.94 2315.06', '2026-09-02 EUR/CDF - -', '2026-09-02 BIF/CDF 0.74 0.77'],
  count: 2,
  asks: ['rsc: 1'],
});
nothing('404 as the bank answers a day without a fixing', [
  history({ USD: [entry('2026-09-01', 2264)] }),
  closed,
]);
reads('an early page without rates is empty, an average that is missing is counted', {
  given: [history({ USD: [entry('2026-09-01', 1), entry('2026-09-03', null)] }), page({})],
  noData: ['the pages of some early days have no rates'],
  skipped: { 'no rate': 1, 'outside the days asked for': 1 },
});
refuses([
  ['a history that ended', [history({ USD: [entry('2026-02-09', 1)] }), closed], /its dates are misread/],
  ['a page without the rates', [history({ USD: [entry(DAY, 1)] }), page({})], /no rate on the page/],
  ['a blocked day', [history({ USD: [entry('2026-09-01', 1)] }), blockedPage], /no rate on the page/],
  ['the page of another day', [history({ USD: [entry(DAY, 1)] }), page({ USD: '2' })], /0 of 1 rates/],
]);
