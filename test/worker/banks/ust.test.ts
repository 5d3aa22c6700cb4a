import { feed } from '../../../worker/banks/ust.js';
import { casesOf } from './cases.js';

const line = (country_currency_desc: string, exchange_rate?: string, effective_date = '2026-06-30') => ({
  ...{ record_date: '2026-06-30', effective_date, country_currency_desc, exchange_rate },
});
const answer = (data: object[], { count = data.length, pages = 1 } = {}) =>
  JSON.stringify({ data, meta: { count: data.length, 'total-count': count, 'total-pages': pages } });
const PLACE =
  'GET api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange';
const { reads, empty, refuses } = casesOf(feed, '2026-06-30..2026-08-31', PLACE);
reads('units for a dollar from the day of effect, labels by their time and rank', {
  given: [
    answer(
      [
        line('Chad-Cfa Franc', '561'),
        line('Sierra Leone-Leone', '22.6'),
        line('Bulgaria-Lev New', '0.87'),
        line('Bolivia-Boliviano', '6.85'),
        line('Bolivia-Boliviano', '10.35', '2026-07-15'),
        line('Atlantis-Dollar', '1'),
        line('Panama-Dolares', '1'),
      ],
      { count: 8, pages: 2 },
    ),
    answer([line('Cameroon-Cfa Franc', '560')], { count: 8, pages: 2 }),
  ],
  rates: ['2026-06-30 USD/SLE 22.6, USD/BOB 6.85', '2026-07-15 USD/BOB 10.35', '2026-06-30 USD/XAF 560'],
  skipped: {
    'unknown name': 1,
    'another label of the same currency': 1,
    'a label that is no longer, or not yet, in use': 1,
    'the euro or the dollar under another name': 1,
  },
  count: 2,
  asks: ['filter=record_date:gte:2026-02-28'],
});
empty('no rate begins', answer([line('Albania-Lek', '83')]), '2026-08-01..2026-08-31');
const lek = line('Albania-Lek', '83');
refuses([
  ['rates that are missing', answer([lek], { count: 2 }), /1 of 2 rates/],
  ['a page that repeats the one before', answer([lek], { count: 2, pages: 2 }), /repeats/],
]);
