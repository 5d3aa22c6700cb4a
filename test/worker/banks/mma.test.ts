import { feed } from '../../../worker/banks/mma.js';
import { casesOf } from './cases.js';

const history = (...entries: [string | null, string | number | null][]) =>
  JSON.stringify(entries.map(([day, Rate]) => ({ Date: day, Rate })));
const PLACE = 'GET www.mma.gov.mv/JSON/referencerates.json';
const { reads, empty } = casesOf(feed, '2026-05-21..2026-05-21', PLACE);
reads('rufiyaa for one dollar, the first of two entries for a day, a span as its later day', {
  days: '2021-02-07..2021-02-10',
  given: history(
    ['10 February 2021', 15.42],
    ['10 February 2021', '15.37'],
    ['08/09 February 2021', '15.4'],
    ['07 February 2021', null],
    [null, '15'],
    ['6 February 2021', '15.42'],
  ),
  rates: ['2021-02-10 USD/MVR 15.42', '2021-02-09 USD/MVR 15.4'],
  asks: ['v=20210210'],
});
empty('a window without an entry is empty', history(['20 May 2026', '15.42']));
