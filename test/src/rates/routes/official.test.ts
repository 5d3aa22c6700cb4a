import { describe, expect, it } from 'vitest';
import { answers, routesOn, served } from './golden.js';

const ROWS = [
  ...['ECB 2026-03-17 EUR/USD 1.15', 'ECB 2026-03-17 EUR/GBP 0.86', 'ECB 2026-02-27 EUR/USD 1.2'],
  ...['HMRC 2026-02-01 GBP/USD 1.2', 'HMRC 2026-03-01 GBP/USD 1.3554', 'HMRC 2026-04-01 GBP/USD 1.4'],
  ...['HMRC 2026-03-01 GBP/EUR 1.15', 'HMRC 2026-03-01 GBP/TRY 60', 'HMRC 2026-03-18 GBP/TRY 66'],
  ...['UST 2026-02-14 USD/BOB 10.35'],
  ...['BIS 2026-02-28 USD/JPY 150', 'JPC 2026-03-15 USD/JPY 155.39'],
  ...['BAZG 2026-03-18 JPY/CHF 0.005', 'BAZG 2026-03-21 JPY/CHF 0.0051'],
  ...['CBTT 2026-03-17 USD/TTD 6.75', 'CBTT 2026-03-17 EUR/TTD 99'],
  ...['BDL 2024-03-27 USD/LBP 15000', 'BDL 2024-03-28 USD/LBP 89500'],
  ...['BCV 2026-03-17 USD/VES 440', 'BCV 2026-03-17 ANG/VES 250'],
  ...['CBKKW 2026-03-17 USD/KWD 0.306', 'CBKKW 2026-03-17 PYG/KWD 0.000052'],
];
const NOW = '2026-03-20T12:00:00Z';
const routes = routesOn(ROWS, NOW);
// What is blended is chosen as it is stored.
const stored = served(ROWS, NOW);
const MARCH = 'valid_from=2026-03-01 valid_to=2026-03-31';
const DOLLAR = `2026-03-01 GBP/USD 1.3554 ${MARCH}`;
const LIRA = '2026-03-01 GBP/TRY 60 valid_from=2026-03-01 valid_to=2026-03-17';
const AMENDED = '2026-03-18 GBP/TRY 66 valid_from=2026-03-18 valid_to=2026-03-31';

describe('rates that are set for a period', () => {
  describe('are those valid on the day, until the end of the period or an amendment', () => {
    answers(stored, {
      '/v2/rates?providers=HMRC&base=GBP&date=2026-03-17': `[2026-03-01 GBP/EUR 1.15 ${MARCH}, 2026-03-01 GBP/GBP 1 ${MARCH}, ${LIRA}, ${DOLLAR}]`,
      '/v2/rate/GBP/TRY?providers=HMRC&date=2026-03-18': AMENDED,
      '/v2/rate/USD/BOB?providers=UST&date=2026-03-30':
        '2026-02-14 USD/BOB 10.35 valid_from=2026-02-14 valid_to=2026-03-30',
      '/v2/rate/USD/JPY?providers=BIS&date=2026-03-30':
        '2026-02-28 USD/JPY 150 valid_from=2026-02-28 valid_to=2026-03-30',
      '/v2/rate/USD/JPY?providers=JPC&date=2026-03-21':
        '2026-03-15 USD/JPY 155.39 valid_from=2026-03-15 valid_to=2026-03-21',
      // Those of single days are valid until the next list.
      '/v2/rate/JPY/CHF?providers=BAZG': '2026-03-18 JPY/CHF 0.005 valid_from=2026-03-18 valid_to=2026-03-20',
      '/v2/rate/JPY/CHF?providers=BAZG&date=2026-03-22':
        '2026-03-21 JPY/CHF 0.0051 valid_from=2026-03-21 valid_to=2026-03-23',
      // They are not carried beyond their period.
      '/v2/rates?providers=HMRC&base=GBP&quotes=EUR&date=2026-04-01': '[]',
      // A cross holds on the days on which both rates hold.
      '/v2/rate/USD/TRY?providers=HMRC&date=2026-03-19':
        '2026-03-18 USD/TRY 48.694 valid_from=2026-03-18 valid_to=2026-03-31',
      // Of a range they are all that are valid in it.
      '/v2/rates?providers=HMRC&base=GBP&quotes=TRY,USD&from=2026-02-10&to=2026-04-02': `[2026-02-01 GBP/USD 1.2 valid_from=2026-02-01 valid_to=2026-02-28, ${LIRA}, ${DOLLAR}, ${AMENDED}, 2026-04-01 GBP/USD 1.4 valid_from=2026-04-01 valid_to=2026-04-30]`,
      '/v2/rates?providers=JPC&date=9999-12-31': '[]',
      '/v2/convert/USD/CHF?providers=BAZG&amount=1&date=0100-01-01&when=before':
        '404 no rate for USD/CHF before 0100-01-01: none is set that is valid then',
      // An invoice is converted by the rate of its day.
      '/v2/convert/USD/GBP?providers=HMRC&amount=1000&date=2026-03-17':
        '1000 2026-03-17 USD/GBP 0.737789582411 = 737.79 observed=2026-03-01',
      '/v2/convert/GBP/TRY?providers=HMRC&amount=10.50&date=2026-03-18':
        '10.50 2026-03-18 GBP/TRY 66 = 693.00 observed=2026-03-18',
      '/v2/convert/GBP/EUR?providers=HMRC&amount=1&date=2026-04-01':
        '404 no rate for GBP/EUR on 2026-04-01: none is set that is valid then',
    });
  });

  it('are the ones valid today where no day is named, though the next are known', async () => {
    const { text, headers } = await routes.ask('/v2/rates.csv?providers=HMRC&base=GBP&quotes=USD&header=off');
    expect(text).toBe('2026-03-01,GBP,USD,1.3554,2026-03-01,2026-03-31\n');
    expect(headers['x-rates-as-of']).toBe('2026-03-20');
  });

  describe('are never blended, neither with all nor with some', () => {
    const refused = expect.stringMatching(/^422 providers: /);
    answers(stored, {
      '/v2/rates?base=EUR&quotes=JPY,BOB,TRY': '[]',
      '/v2/rates?base=EUR&quotes=USD&expand=providers':
        '[2026-03-17 EUR/USD 1.15 providers=[{"key":"ECB","date":"2026-03-17","rate":1.15}]]',
      '/v2/rates?providers=HMRC,ECB':
        '422 providers: providers of official rates are not blended: name one of them alone',
      '/v2/convert/GBP/USD?amount=1&providers=HMRC,ECB': refused,
      '/v2/coverage?providers=HMRC,ECB': refused,
      '/v2/rates?providers=HMRC&from=2026-01-01&group=month':
        '422 group: group is not for official rates: they have no means',
      '/v2/rates?providers=BAZG&side=sell':
        '422 side: side is not for official rates: they have one value for a period',
    });
  });

  it('are distinguished from observed ones by /v2/providers', async () => {
    const listed: { key: string }[] = JSON.parse((await stored.ask('/v2/providers')).text);
    const one = (key: string) => listed.find((provider) => provider.key === key);
    expect(one('HMRC')).toMatchObject({ kind: 'official', period: 'month', blended: false });
    expect(one('BAZG')).toMatchObject({ kind: 'official', period: 'day', publish_cadence: 'daily' });
    expect(one('UST')).toMatchObject({ kind: 'official', period: 'quarter', publish_cadence: 'quarterly' });
    expect(one('ECB')).toMatchObject({ kind: 'observed', period: null, blended: true });
    const frequencies = {
      ECB: 'daily',
      BAZG: 'daily',
      JPC: 'weekly',
      HMRC: 'monthly',
      BIS: 'monthly',
      UST: 'quarterly',
    };
    for (const [key, frequency] of Object.entries(frequencies)) expect(one(key)).toMatchObject({ frequency });
  });
});

describe('rates that a provider is not blended with', () => {
  describe("are answered as the provider's own", () => {
    answers(stored, {
      '/v2/rate/EUR/TTD?providers=CBTT': '2026-03-17 EUR/TTD 99',
      '/v2/rate/PYG/KWD?providers=CBKKW': '2026-03-17 PYG/KWD 0.000052',
      '/v2/rate/USD/LBP?providers=BDL&date=2024-03-27': '2024-03-27 USD/LBP 15000',
      '/v2/rate/VES/ANG?providers=BCV': '2026-03-17 VES/ANG 0.004',
    });
  });

  describe('are in no blend: other currencies, earlier days, figures of few digits, currencies that ended', () => {
    answers(stored, {
      '/v2/rates?base=USD&quotes=ANG,VES': '[2026-03-17 USD/VES 440]',
      '/v2/rates?base=EUR&quotes=TTD': '[2026-03-17 EUR/TTD 7.7625]',
      '/v2/rates?base=EUR&quotes=PYG': '[]',
      '/v2/rates?base=USD&quotes=LBP&date=2024-03-27': '[]',
      '/v2/rates?base=USD&quotes=LBP&date=2024-03-28': '[2024-03-28 USD/LBP 89500]',
      '/v2/rates?providers=CBTT,ECB&base=USD&quotes=TTD': '[2026-03-17 USD/TTD 6.75]',
    });
  });
});
