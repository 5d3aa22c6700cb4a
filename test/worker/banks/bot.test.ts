import { feed } from '../../../worker/banks/bot.js';
import { casesOf } from './cases.js';

const rows = (...detail: [string, string, string, string, buying?: string, selling?: string][]) =>
  JSON.stringify({
    result: {
      data: {
        data_detail: detail.map(
          ([period, currency_id, currency_name_eng, mid_rate, buying_transfer = '', selling = '']) => ({
            ...{ period, currency_id, currency_name_eng, buying_transfer, selling, mid_rate },
          }),
        ),
      },
    },
  });
const PLACE = 'GET gateway.api.bot.or.th/Stat-ExchangeRate/v2/DAILY_AVG_EXG_RATE/';
const { reads } = casesOf(feed, '2026-04-01..2026-04-03', PLACE);
reads('baht for one unit, by the units in the name', {
  days: '2026-04-01..2026-05-10',
  given: [
    rows(
      ['2026-04-03', 'JPY', 'JAPAN : YEN (100 YEN) (JPY) ', '20.4832000', '20.1923000', '20.7740000'],
      ['2026-04-03', 'IDR', 'INDONESIA : RUPIAH (1,000 RUPIAH) (IDR) ', '1.9296000'],
      ['2026-04-03', 'USD', 'USA : DOLLAR (USD) ', '32.6448000'],
      ['2026-04-03', 'EUR', 'EURO ZONE : EURO (EUR) ', ' '],
    ),
    rows(['', '', '', '']),
  ],
  rates: ['2026-04-03 JPY/THB 0.204832, IDR/THB 0.0019296, USD/THB 32.6448'],
  sides: ['2026-04-03 JPY/THB 0.201923 0.20774'],
  asks: [
    'start_period=2026-04-01&end_period=2026-04-30 & authorization: <BOT_API_KEY>',
    'start_period=2026-05-01&end_period=2026-05-10',
  ],
});
