import type { CalendarDate } from '../../core/domain/dates.js';
import { isBlended, providerOf } from '../../core/domain/providers.js';
import type { Deviation } from './deviations.js';

/**
 * Why a rate is far from what others say:
 *
 * - `official`: an official rate beside those that are traded at, or the other way round;
 * - `market`: another market, with its own price: cash, offshore, or with a premium for scarce currency;
 * - `hour`: taken at another hour or day while the price moved by more than 2 %;
 * - `coarse`: printed with so few digits that it is rounded by more than 2 %;
 * - `slip`: single figures that the source printed wrong;
 * - `period`: an official rate that is set for a period, from the prices of days before it;
 * - `other days`: the recording has figures of other days than the one that it is named after.
 */
type Kind = 'official' | 'market' | 'hour' | 'coarse' | 'slip' | 'period' | 'other days';

/** Why rates of one provider deviate. */
export interface Explanation {
  provider: string;
  /** Codes, or `all` of the provider's. */
  currencies: readonly string[] | 'all';
  /** First and last day that it is about, both included; open where absent. */
  from?: CalendarDate;
  to?: CalendarDate;
  /** The days that it is about, where they are single ones. */
  days?: readonly CalendarDate[];
  /** The largest relative deviation that the reason explains; none where absent. */
  most?: number;
  kind: Kind;
  reason: string;
}

/** The explanation of a deviation: the first that applies. */
export function explanationOf(deviation: Deviation): Explanation | undefined {
  const { deviation: size } = deviation;
  return explanations.find(
    (one) => isAbout(one, deviation) && Math.abs(size) <= (one.most ?? Number.POSITIVE_INFINITY),
  );
}

/**
 * Whether other rates may be compared with this one: it is blended, as those set for a period are not, and not known to
 * be wrong or coarse.
 */
export function isTrusted(rate: { provider: string; quote: string; date: CalendarDate }): boolean {
  const { blend_currencies: blended, pivot_currency: own } = providerOf(rate.provider) ?? {};
  const isLeftOut = blended && rate.quote !== own && !blended.includes(rate.quote);
  return isBlended(rate.provider) && !isLeftOut && !distrusted.some((one) => isAbout(one, rate));
}

/** Whether all of a provider's rates of a day are wrong: they never ship. */
export function areOfOtherDays(provider: string, date: CalendarDate): boolean {
  return explanations.some(
    (one) => one.kind === 'other days' && isAbout(one, { provider, date, quote: undefined }),
  );
}

function isAbout(
  { provider, currencies, from, to, days }: Explanation,
  rate: { provider: string; date: CalendarDate; quote: string | undefined },
): boolean {
  return (
    provider === rate.provider &&
    (currencies === 'all' || (rate.quote !== undefined && currencies.includes(rate.quote))) &&
    (days === undefined || days.includes(rate.date)) &&
    (from === undefined || rate.date >= from) &&
    (to === undefined || rate.date <= to)
  );
}

/** What is known about deviations in the recordings, of each provider the narrow before the wide. */
export const explanations: readonly Explanation[] = [
  {
    provider: 'BCC',
    currencies: ['CUP'],
    most: 21,
    kind: 'official',
    reason: "Cuba's third rate (tasa especial), which floats near 500 pesos; the others give the official 24",
  },
  {
    provider: 'BCEAO',
    currencies: 'all',
    from: '2026-03-16',
    to: '2026-03-20',
    kind: 'other days',
    reason: 'figures of about 2025-03-21 under dates of a year later; its dollar is at 1.083 per euro',
  },
  {
    provider: 'BCRA',
    currencies: ['RUB'],
    most: 0.05,
    kind: 'market',
    reason: 'the ruble is traded little outside Russia, and banks quote it several per cent apart',
  },
  {
    provider: 'BDI',
    currencies: ['BWP'],
    most: 0.08,
    kind: 'market',
    reason: "the middle of the market; Botswana's bank gives its own dealing rate, with a wide margin",
  },
  {
    provider: 'BIS',
    currencies: ['VND'],
    most: 0.05,
    kind: 'official',
    reason:
      "the State Bank of Vietnam's central rate, which banks may leave by 5 %; the others give the market's",
  },
  {
    provider: 'BNA',
    currencies: ['CUP'],
    most: 1,
    kind: 'official',
    reason: "Cuba's official 24 pesos; BCC gives the rate that floats near 500",
  },
  {
    provider: 'BNR',
    currencies: ['XAU'],
    from: '2026-03-01',
    to: '2026-04-30',
    most: 0.1,
    kind: 'hour',
    reason: 'gold moved by up to 9 % within days, and the others give the fixing of the day before',
  },
  {
    provider: 'BOB',
    currencies: ['BWP'],
    most: 0.08,
    kind: 'market',
    reason: "the bank's own dealing rate, with a wide margin; BDI gives the middle of the market",
  },
  {
    provider: 'BOB',
    currencies: 'all',
    days: ['2001-01-03', '2019-02-09'],
    kind: 'slip',
    reason: "all currencies are off, by the dollar's figure: on 2019-02-09, a Saturday, by 3 to 7 %",
  },
  {
    provider: 'BOB',
    currencies: ['CNY'],
    days: ['2019-03-19', '2019-04-05'],
    kind: 'slip',
    reason: "the yuan has another currency's figure, a seventh of the truth",
  },
  {
    provider: 'BOB',
    currencies: ['EUR', 'GBP', 'JPY'],
    days: ['2001-05-16', '2001-08-06', '2001-12-04', '2008-01-21', '2008-07-11', '2017-12-27', '2019-08-06'],
    kind: 'slip',
    reason: 'single figures, 2 to 10 % off for one day, with the right ones on both sides',
  },
  {
    provider: 'BOB',
    currencies: ['JPY'],
    days: ['2001-09-04', '2001-11-07'],
    kind: 'slip',
    reason: 'the yen is given for one instead of a hundred',
  },
  {
    provider: 'BOI',
    currencies: ['LBP'],
    most: 0.2,
    kind: 'coarse',
    reason: 'printed as 0.0003 shekels for ten pounds: one digit',
  },
  {
    provider: 'BOI',
    currencies: ['EGP'],
    most: 0.08,
    kind: 'market',
    reason: 'the price in shekels is a thin one, 4 to 7 % below what banks elsewhere give for the pound',
  },
  {
    provider: 'BOI',
    currencies: ['ZAR'],
    days: ['2026-03-02'],
    kind: 'slip',
    reason:
      'the rand at 16.95 per dollar, when twelve others have 15.9 to 16.2 and none above 16.6 in that week',
  },
  {
    provider: 'BOM',
    currencies: ['VND'],
    most: 0.04,
    kind: 'coarse',
    reason: 'printed as 0.14 tugriks for one dong: two digits',
  },
  {
    provider: 'BOTA',
    currencies: 'all',
    days: ['2026-05-19'],
    kind: 'other days',
    reason: 'figures of about May 2025 under a date of a year later, 2 to 16 % off',
  },
  {
    provider: 'CBA',
    currencies: ['XAG'],
    from: '2026-03-01',
    to: '2026-03-31',
    most: 0.1,
    kind: 'hour',
    reason:
      'silver moved by up to 15 % a day, and the others give fixings of other hours or of the day before',
  },
  {
    provider: 'CBC',
    currencies: ['AUD'],
    days: ['2008-10-15', '2008-11-21', '2009-06-03'],
    most: 0.05,
    kind: 'hour',
    reason: "Taipei's afternoon, on days on which the dollar moved by several per cent",
  },
  {
    provider: 'CBC',
    currencies: ['CAD'],
    days: ['2014-12-11'],
    kind: 'slip',
    reason: 'the Canadian dollar at 1.295, between 1.145 and 1.154 on the days beside it',
  },
  {
    provider: 'CBC',
    currencies: ['TWD'],
    days: ['2025-06-30'],
    most: 0.05,
    kind: 'hour',
    reason: "Taipei's close at 29.90, after the dollar had been bought in its last minutes; 29.1 before",
  },
  {
    provider: 'CBG',
    currencies: ['GNF', 'NGN'],
    most: 0.2,
    kind: 'coarse',
    reason: 'printed with two decimals, as 0.01 and 0.05 dalasis for one: rounded by up to 50 and 10 %',
  },
  {
    provider: 'CBG',
    currencies: ['LKR'],
    most: 0.05,
    kind: 'coarse',
    reason: 'printed with two decimals, as 0.22 dalasis for one rupee',
  },
  {
    provider: 'CBG',
    currencies: ['SLE'],
    most: 0.08,
    kind: 'market',
    reason: "Gambian banks pay 6 % more for the leone than Warsaw and Rome say that it's worth",
  },
  {
    provider: 'CBG',
    currencies: ['GMD'],
    most: 0.04,
    kind: 'market',
    reason: 'the bank of issue itself; Warsaw gives the dalasi 2 to 3 % lower, once a week',
  },
  {
    provider: 'CBG',
    currencies: 'all',
    kind: 'slip',
    reason: "single wild values all over its archive: another currency's figure, another unit, a digit lost",
  },
  {
    provider: 'CBI',
    currencies: ['JPY', 'XDR'],
    days: ['2026-02-09', '2026-02-18'],
    kind: 'slip',
    reason: 'one figure each, 22 % (yen) and 82 % (SDR) off, with the right ones on both sides',
  },
  {
    provider: 'CBR',
    currencies: ['CUP'],
    most: 24,
    kind: 'official',
    reason: "Cuba's official 24 pesos; Warsaw gives the parity of 1 that held before 2021",
  },
  {
    provider: 'CBR',
    currencies: ['VND'],
    most: 0.06,
    kind: 'official',
    reason:
      "the State Bank of Vietnam's central rate, which banks may leave by 5 %; the others give the market's",
  },
  {
    provider: 'CBS',
    currencies: 'all',
    days: ['2020-05-12'],
    kind: 'slip',
    reason: "all currencies are 3 % off: the dollar's figure is of another day",
  },
  {
    provider: 'CBS',
    currencies: ['GBP'],
    days: ['2008-01-11', '2008-01-14', '2009-02-20', '2011-10-06', '2014-07-24', '2018-12-06', '2025-09-29'],
    kind: 'slip',
    reason: 'single figures of the pound, 8 to 110 % off, with the right ones on both sides',
  },
  {
    provider: 'CBS',
    currencies: ['JPY'],
    days: ['2013-10-31', '2019-02-08'],
    kind: 'slip',
    reason: 'single figures of the yen, 7 and 2 % off, with the right ones on both sides',
  },
  {
    provider: 'CBS',
    currencies: ['AUD', 'JPY'],
    days: ['2008-10-10', '2008-10-15', '2008-10-16', '2010-05-06'],
    most: 0.08,
    kind: 'hour',
    reason:
      "the end of Samoa's day, which is a day later elsewhere, when markets fell by as much within hours",
  },
  {
    provider: 'CBSSC',
    currencies: 'all',
    to: '2026-09-08',
    kind: 'other days',
    reason: 'rows of a small workbook that stands for the one that the recording lacks: no true figures',
  },
  {
    provider: 'CBSSC',
    currencies: ['GBP'],
    most: 0.05,
    kind: 'market',
    reason: "what the islands' dealers take for the pound, 3 % above its price in dollars",
  },
  {
    provider: 'CBTT',
    currencies: ['CAD', 'CHF', 'EUR', 'GBP'],
    most: 0.2,
    kind: 'market',
    reason: 'averages of few deals, in which buyers and sellers are different people; not blended',
  },
  {
    provider: 'CBU',
    currencies: ['IRR'],
    most: 0.2,
    kind: 'market',
    reason: 'Iran has several rates, official and traded, and banks take different ones',
  },
  {
    provider: 'CBU',
    currencies: ['TMT'],
    days: ['2026-04-01'],
    kind: 'slip',
    reason: 'the manat at 3.02 per dollar, at its fixed 3.50 from the next day on',
  },
  {
    provider: 'DAB',
    currencies: ['CNY', 'INR', 'PKR', 'SAR'],
    most: 0.15,
    kind: 'market',
    reason: "the prices of Kabul's money market, with its own premiums and discounts",
  },
  {
    provider: 'DAB',
    currencies: ['IRR'],
    most: 0.25,
    kind: 'coarse',
    reason: 'printed as 0.0004 and 0.0008 afghanis for one toman: one digit',
  },
  {
    provider: 'DNB',
    currencies: ['IDR'],
    days: ['2025-04-04'],
    most: 0.03,
    kind: 'hour',
    reason: 'the offshore price while Jakarta was closed for a week; the others repeat the last one before',
  },
  {
    provider: 'DNB',
    currencies: ['PLN'],
    days: ['2025-05-21'],
    most: 0.03,
    kind: 'hour',
    reason: 'beside it is only a Sri Lankan rate of two days before',
  },
  {
    provider: 'HMRC',
    currencies: 'all',
    most: 0.1,
    kind: 'period',
    reason: 'set for a month, from the prices of the month before',
  },
  {
    provider: 'IMF',
    currencies: ['BWP'],
    most: 0.05,
    kind: 'market',
    reason: "as reported by Botswana's bank: its own dealing rate, with a wide margin",
  },
  {
    provider: 'IMF',
    currencies: ['UYU'],
    days: ['2026-03-05', '2026-03-06'],
    most: 0.05,
    kind: 'hour',
    reason: 'the peso lost 4 % in that week, and Warsaw, alone beside it, gives it once a week',
  },
  {
    provider: 'INFOREURO',
    currencies: 'all',
    most: 0.1,
    kind: 'period',
    reason: 'set for a month, from the prices of the last days but one of the month before',
  },
  {
    provider: 'JPC',
    currencies: 'all',
    most: 0.1,
    kind: 'period',
    reason: 'set for a week, from the prices of the week but one before',
  },
  {
    provider: 'NB',
    currencies: ['BYN'],
    most: 0.06,
    kind: 'market',
    reason: "the ruble's price outside Belarus, 2 to 4 % below its bank's own",
  },
  {
    provider: 'NBK',
    currencies: ['IRR'],
    most: 0.2,
    kind: 'market',
    reason: 'Iran has several rates, official and traded, and banks take different ones',
  },
  {
    provider: 'NBP',
    currencies: ['BWP'],
    most: 0.05,
    kind: 'market',
    reason: "the middle of the market; Botswana's bank gives its own dealing rate, with a wide margin",
  },
  {
    provider: 'NBP',
    currencies: ['CUP'],
    most: 1,
    kind: 'official',
    reason: 'the parity of 1 to the dollar, which held until 2021; official is 24',
  },
  {
    provider: 'NBP',
    currencies: ['GMD', 'VUV'],
    most: 0.04,
    kind: 'market',
    reason: "taken from the market once a week, 2 to 3 % from the bank of issue's own rate",
  },
  {
    provider: 'NBRM',
    currencies: ['RUB'],
    from: '2026-03-20',
    to: '2026-03-23',
    most: 0.05,
    kind: 'market',
    reason: 'the ruble is traded little outside Russia, and banks quote it several per cent apart',
  },
  {
    provider: 'NBU',
    currencies: ['XAG', 'XAU', 'XPT'],
    from: '2026-03-01',
    to: '2026-03-31',
    most: 0.1,
    kind: 'hour',
    reason:
      'metals moved by up to 15 % a day, and the others give fixings of other hours or of the day before',
  },
  {
    provider: 'RBM',
    currencies: ['CHF', 'EUR', 'GBP', 'ZAR'],
    most: 0.05,
    kind: 'market',
    reason: 'Malawian banks ask 3 % more for these than their dollar rate gives: currency is scarce there',
  },
  {
    provider: 'RBV',
    currencies: ['VUV'],
    most: 0.04,
    kind: 'official',
    reason: "the bank of issue's own rate, from a basket; Warsaw gives a market's once a week",
  },
  {
    provider: 'SARB',
    currencies: ['BWP'],
    most: 0.05,
    kind: 'market',
    reason: "the middle of the market; Botswana's bank gives its own dealing rate, with a wide margin",
  },
  {
    provider: 'SBP',
    currencies: ['QAR'],
    from: '2017-06-05',
    to: '2018-03-31',
    most: 0.06,
    kind: 'market',
    reason: "the riyal's price outside Qatar while its neighbours closed their borders; its peg held inside",
  },
  {
    provider: 'SBP',
    currencies: ['BHD', 'OMR', 'QAR'],
    days: ['2018-07-16', '2022-08-03', '2023-03-01'],
    most: 0.05,
    kind: 'hour',
    reason: 'the rupee moved by 2 to 6 % that day, and its dollar is of another hour than the rest',
  },
  {
    provider: 'SBP',
    currencies: ['NZD'],
    days: ['2015-08-10'],
    kind: 'slip',
    reason: 'one figure, 3 % off, with the right ones on both sides',
  },
  {
    provider: 'SBP',
    currencies: ['NZD'],
    days: ['2020-03-19', '2023-01-26'],
    most: 0.04,
    kind: 'hour',
    reason: 'markets fell (2020), and the rupee lost a tenth of its value (2023), within the day',
  },
  {
    provider: 'SBP',
    currencies: ['MYR', 'THB'],
    days: ['2013-09-19', '2013-09-20'],
    most: 0.03,
    kind: 'hour',
    reason: 'both rose that day on news from Washington, and Taipei, alone beside it, was closed',
  },
  {
    provider: 'UST',
    currencies: 'all',
    most: 0.1,
    kind: 'period',
    reason: 'set for a quarter, and printed with few digits',
  },
];

const distrusted = explanations.filter(
  ({ kind }) => kind === 'slip' || kind === 'other days' || kind === 'coarse',
);
