import { feed } from '../../../worker/banks/ecb.js';
import { casesOf } from './cases.js';

const csv = (...lines: string[]) =>
  ['KEY,FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE,TITLE', ...lines, ''].join('\n');
const PLACE = 'GET data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A';
const { reads, empty, refuses } = casesOf(feed, '2026-03-02..2026-03-03', PLACE);
reads('one euro in each currency, wherever the columns stand', {
  given: csv('x,D,USD,2026-03-02,1.0845,"US dollar, spot"', 'x,D,JPY,2026-03-03,162.41,yen'),
  rates: ['2026-03-02 EUR/USD 1.0845', '2026-03-03 EUR/JPY 162.41'],
  asks: ['format=csvdata&startPeriod=2026-03-02&endPeriod=2026-03-03'],
});
empty('404 is a window without fixings', { status: 404, body: 'No results found' });
const [blank, nan] = ['x,D,USD,2026-03-02,,', 'x,D,ISK,2026-03-02,NaN,'];
reads('empty fields, NaN and other frequencies are no rates', {
  given: csv(blank, nan, 'x,D,JPY,2026-03-02,162.41,', 'x,M,JPY,2026-03,160,', ',,,,,'),
  rates: ['2026-03-02 EUR/JPY 162.41'],
  skipped: { 'no rate': 2, 'not a daily rate': 1, 'a line of blanks': 1 },
});
refuses([
  ['a table without observations', csv(blank, nan), /marks of "no rate" alone/],
  ['a table of both', csv(blank, ',,,,,'), /0 of 2 records give a rate/],
]);
