import { feed } from '../../../worker/banks/boc.js';
import { casesOf } from './cases.js';

const observations = (...days: object[]) => JSON.stringify({ terms: {}, observations: days });
const PLACE = 'GET www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json';
const { reads, empty, nothing } = casesOf(feed, '2026-03-12..2026-03-13', PLACE);
reads('Canadian dollars for one unit of each series', {
  given: observations(
    { d: '2026-03-12', FXUSDCAD: { v: '1.3617' }, FXIDRCAD: { v: '0.000081' } },
    { d: '2026-03-13', FXUSDCAD: { v: 1.37 }, OTHER: { v: '2' } },
  ),
  rates: ['2026-03-12 USD/CAD 1.3617, IDR/CAD 0.000081', '2026-03-13 USD/CAD 1.37'],
  asks: ['start_date=2026-03-12&end_date=2026-03-13'],
});
nothing('a window without a business day is an empty list', observations());
empty('a holiday has no value', observations({ d: '2026-03-12', FXUSDCAD: { e: -64 } }));
