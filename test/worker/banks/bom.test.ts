import { feed } from '../../../worker/banks/bom.js';
import { casesOf } from './cases.js';

const days = (...data: object[]) => JSON.stringify({ success: true, data, langData: {} });
const metals = { XAU: '16,172,267.24', SDR: '4,887.93' };
const PLACE = 'POST www.mongolbank.mn/en/currency-rate-movement/data';
const { reads, nothing } = casesOf(feed, '2026-05-21..2026-05-22', PLACE);
reads('tugrik for one unit, the SDR under its code', {
  given: days(
    { RATE_DATE: '2026-05-22', USD: '3,576.42', ...metals, EUR: '0.00', GBP: null, JPY: ' ' },
    { RATE_DATE: '2026-05-20', USD: '3,500.00' },
  ),
  rates: ['2026-05-22 USD/MNT 3576.42, XAU/MNT 16172267.24, XDR/MNT 4887.93'],
  asks: ['{"startDate":"2026-05-21","endDate":"2026-05-22"}'],
});
nothing('a window without rates is an empty list', days());
