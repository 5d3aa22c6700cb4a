import { feed } from '../../../worker/banks/tcmb.js';
import { casesOf } from './cases.js';

const CURRENCIES =
  'AED AUD AZN CAD CHF CNY DKK EUR GBP JPY KRW KWD KZT NOK PKR QAR RON RUB SAR SEK USD'.split(' ');
const SERIES = CURRENCIES.map((code) => `TP.DK.${code}.A.YTL-TP.DK.${code}.S.YTL`).join('-');
const BLANKS = Object.fromEntries(
  CURRENCIES.flatMap((code) => ['A', 'S'].map((side) => [`TP_DK_${code}_${side}_YTL`, null])),
);
const items = (...days: object[]) =>
  JSON.stringify({
    totalCount: 2,
    items: [...days, { Tarih: '02-03-2026' }].slice(0, 2).map((day) => ({ ...BLANKS, ...day })),
  });
const priced = (code: string, buying: string, selling: string | null) => ({
  [`TP_DK_${code}_A_YTL`]: buying,
  [`TP_DK_${code}_S_YTL`]: selling,
});
/** The parameters are part of the path. */
const placeOf = (start: string, end: string) =>
  `GET /igmevdsms-dis/series=${SERIES}&startDate=${start}&endDate=${end}&type=json&frequency=1`;
const { reads, empty, refuses } = casesOf(
  feed,
  '2026-03-01..2026-03-02',
  placeOf('01-03-2026', '02-03-2026'),
);
reads('midpoints, the yen for one', {
  given: items(
    { Tarih: '01-03-2026' },
    {
      Tarih: '02-03-2026',
      ...priced('USD', '43.80000000', '43.87890000'),
      ...priced('JPY', '28.00720000', '28.19270000'),
      ...priced('EUR', '51.7', null),
      UNIXTIME: { $numberLong: '1772398800' },
    },
  ),
  rates: ['2026-03-02 JPY/TRY 0.2809995, USD/TRY 43.83945'],
  sides: ['2026-03-02 JPY/TRY 0.280072 0.281927', '2026-03-02 USD/TRY 43.8 43.8789'],
  asks: ['key: <TCMB_API_KEY>'],
});
casesOf(feed, '2004-12-31..2005-01-01', placeOf('31-12-2004', '01-01-2005')).reads(
  'days before 2005 in old lira, of which a million were one of those that they are given in',
  {
    given: items(
      { Tarih: '31-12-2004', ...priced('USD', '1.3363', '1.3427'), ...priced('JPY', '1.2951', '1.3037') },
      { Tarih: '01-01-2005', ...priced('USD', '1.3419', '1.3483') },
    ),
    rates: ['2004-12-31 JPY/TRL 12994, USD/TRL 1339500', '2005-01-01 USD/TRY 1.3451'],
  },
);
empty('days of nulls are an empty window', items({ Tarih: '01-03-2026' }));
refuses([['an answer cut short', '{"totalCount":2,"items":[{"Tarih":"01-03-2026"}]}', /cut short/]]);
