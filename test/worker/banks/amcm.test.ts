import { feed } from '../../../worker/banks/amcm.js';
import { casesOf } from './cases.js';

const row = (date: string, currency: string, unit: number | string, usdMeanValue: number | null) => ({
  ...{ date, currency, unit, usdMeanValue },
  ...{ id: 1, usdMean: '0.0000', bid: '159.09' },
});
const answer = (...data: object[]) => JSON.stringify({ message: 'OK', data, code: 0, type: 'Success' });
const PLACE = 'GET www.amcm.gov.mo/api/v1.0/cms/financial_info';
const { reads, refuses, codes } = casesOf(feed, '2026-05-22..2026-05-22', PLACE);
reads('patacas for one unit, the value and not the bid', {
  given: answer(
    row('2026-05-22 00:00:00', 'JPY', 100, 5.0727),
    row('2026-05-22 00:00:00', 'USD', 1, 8.0705),
    row('2026-05-21 14:00:00', 'KRW', '100', 0.54),
  ),
  rates: ['2026-05-22 JPY/MOP 0.050727, USD/MOP 8.0705', '2026-05-21 KRW/MOP 0.0054'],
  asks: ['QueryType=1&Begin=20260521&End=20260522'],
});
codes(
  ({ day, code, price, units }) => answer(row(`${day} 00:00:00`, code, units, price)),
  '1998-12-30 ECU 9.55 1 XEU/MOP 9.55',
);
reads('a long window is asked for in parts of ninety days', {
  days: '2026-01-01..2026-05-22',
  given: answer(),
  asks: ['Begin=20260101 & End=20260331', 'Begin=20260401 & End=20260522'],
});
reads('rows without a unit or a value are no rates', {
  given: answer(row('2026-05-22 00:00:00', 'LIQ', 0, 0), row('2026-05-22 00:00:00', 'GBP', 1, null)),
  dropped: {},
});
refuses([['an answer without data', '{"message":"maintenance","data":null}', /no data: maintenance/]]);
