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
const { reads, empty, refuses } = casesOf(
  feed,
  '2026-03-01..2026-03-02',
  // The parameters are part of the path.
  `GET /igmevdsms-dis/series=${SERIES}&startDate=01-03-2026&endDate=02-03-2026&type=json&frequency=1`,
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
  asks: ['key: <TCMB_API_KEY>'],
});
empty('days of nulls are an empty window', items({ Tarih: '01-03-2026' }));
refuses([['an answer cut short', '{"totalCount":2,"items":[{"Tarih":"01-03-2026"}]}', /cut short/]]);
