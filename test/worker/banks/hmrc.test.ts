import { feed } from '../../../worker/banks/hmrc.js';
import { casesOf } from './cases.js';

const place = (month: string) =>
  `GET www.trade-tariff.service.gov.uk/uk/api/exchange_rates/files/monthly_csv_${month}.csv`;
const HEADER = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date\n';
const line = (code: string, figure: string, start = '01/08/2026') =>
  `"A, country",Name,${code},${figure},${start},31/08/2026\n`;
const missing = { status: 404, body: '{"errors":[{"detail":"not found"}]}' };
const LATER = { today: '2026-11-01' };
const { reads, nothing, refuses } = casesOf(feed, '2026-08-01..2026-08-31', place('2026-8'), LATER);
const months = casesOf(feed, '2026-08-01..', undefined, LATER);
months.reads('units for a pound under the first day of validity, the month ahead with them', {
  today: '2026-09-11',
  given: {
    [place('2026-8')]:
      HEADER + line('AED', '4.9091') + line('AED', '4.9091') + line('TRY', '50', '15/08/2026'),
    [place('2026-9')]: HEADER + line('AED', '4.95', '01/09/2026'),
    [place('2026-10')]: missing,
  },
  rates: ['2026-08-01 GBP/AED 4.9091', '2026-08-15 GBP/TRY 50', '2026-09-01 GBP/AED 4.95'],
  noData: ['404 as for the list of a month that is not out yet'],
  count: 3,
});
const printed = ['VED 1', 'ZIG 2', 'SLE 3', 'STD 27547.2', 'AUD 1.7842', 'TOP 1.7842', 'ECS 1.35', 'XAF '];
reads('codes and units as they mean', {
  given: HEADER + printed.map((one) => line(one.slice(0, 3), one.slice(4))).join(''),
  rates: ['2026-08-01 GBP/VES 1, GBP/ZWG 2, GBP/SLE 3, GBP/STN 27.5472, GBP/AUD 1.7842'],
  skipped: {
    "the Australian dollar's figure": 1,
    'the sucre, which ended in 2000: it is the US dollar': 1,
    'no rate': 1,
  },
});
const leone = (month: string) => HEADER + line('SLE', '15631.1792', `01/${month}/2022`);
months.reads('the leone of before March 2023 is the old one', {
  days: '2022-06-01..2022-06-30',
  given: { [place('2022-6')]: leone('06') },
  rates: ['2022-06-01 GBP/SLL 15631.1792'],
});
nothing('no rate of the month begins in the window', HEADER + line('AED', '4.9'), '2026-08-02..2026-08-05');
refuses([
  ['a month of the past that is missing', missing, /404/],
  ['a cut line', HEADER + line('AED', '4.9').slice(0, -14), /cut short/],
  ['a code that is none', HEADER + line('aed', '4.9'), /aed of 2026-08-01/],
  ['a day of another month', HEADER + line('AED', '4.9', '01/07/2026'), /AED of 2026-07-01/],
]);
