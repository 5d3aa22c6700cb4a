import { sealed } from '../../../../core/domain/receipt/digest.js';
import type { Receipt, ReceiptInput } from '../../../../core/domain/receipt/schema.js';

export const KNOWN_AT = '2026-03-06T16:00:00.000Z';
const RECORDED_AT = '2026-03-06T15:30:00.000Z';

/** The weight of a row that is four days old. */
export const FOUR_DAYS = Math.exp(-0.5);

type Part = Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect' | 'evidence'>;

/** An input from `FOR PROVIDER BASE/QUOTE DATE`, with its hash. */
export function input(name: string, rate: number, part: Partial<Part> = { weight: 1 }): ReceiptInput {
  const [currency = '', provider = '', pair = '', date = ''] = name.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  const row = { for: currency, provider, date, base, quote, rate };
  return sealed({ ...row, recorded_at: RECORDED_AT, evidence: null, ...part });
}

/**
 * EUR/NOK from four sources of the euro, one of them an outlier, a fifth held back, and one source of the krone that is
 * brought to dollars.
 */
export function blendReceipt(): Receipt {
  const total = 2 + FOUR_DAYS;
  return sealed({
    url: `/v2/rate/EUR/NOK?date=2026-03-06&as_of=${KNOWN_AT}&expand=receipt`,
    known_at: KNOWN_AT,
    method: 1,
    inputs: [
      input('EUR BOC USD/EUR 2026-03-06', 0.5),
      input('EUR ECB EUR/USD 2026-03-06', 2),
      input('EUR FRED USD/EUR 2026-03-02', 0.5, { weight: FOUR_DAYS }),
      input('EUR IMF USD/EUR 2026-03-06', 0.75, { left_out: 'outlier' }),
      input('EUR NBU USD/EUR 2026-03-06', 5, { left_out: 'suspect: factor_of_ten' }),
      input('NOK ECB EUR/NOK 2026-03-06', 12),
      input('NOK ECB EUR/USD 2026-03-06', 2, { bridge: true }),
    ],
    steps: {
      frame: [
        { currency: 'EUR', provider: 'BOC', date: '2026-03-06', rate: 0.5, paths: 1 },
        { currency: 'EUR', provider: 'ECB', date: '2026-03-06', rate: 0.5, paths: 1 },
        { currency: 'EUR', provider: 'FRED', date: '2026-03-02', rate: 0.5, paths: 1 },
        { currency: 'EUR', provider: 'IMF', date: '2026-03-06', rate: 0.75, paths: 1 },
        { currency: 'NOK', provider: 'ECB', date: '2026-03-06', rate: 6, paths: 1 },
      ],
      consensus: [{ currency: 'EUR', median: 0.5, deviation: 0, limit: 0.025, excluded: ['IMF'] }],
      weights: [
        { currency: 'EUR', date: '2026-03-06', total, rate: 0.5 },
        { currency: 'NOK', date: '2026-03-06', total: 1, rate: 6 },
      ],
      peg: [],
      ratio: {
        base: { currency: 'EUR', date: '2026-03-06', rate: 0.5 },
        quote: { currency: 'NOK', date: '2026-03-06', rate: 6 },
        date: '2026-03-06',
        rate: 12,
      },
    },
  });
}

/** AED/XOF: both pegged, the one to the dollar and the other to the euro. */
export function peggedReceipt(): Receipt {
  return sealed({
    url: `/v2/rate/AED/XOF?date=2026-03-06&as_of=${KNOWN_AT}&expand=receipt`,
    known_at: KNOWN_AT,
    method: 1,
    inputs: [input('EUR ECB EUR/USD 2026-03-06', 2)],
    steps: {
      frame: [{ currency: 'EUR', provider: 'ECB', date: '2026-03-06', rate: 0.5, paths: 1 }],
      consensus: [],
      weights: [{ currency: 'EUR', date: '2026-03-06', total: 1, rate: 0.5 }],
      peg: [
        { currency: 'AED', base: 'USD', rate: 3.6725 },
        { currency: 'XOF', base: 'EUR', rate: 655.957 },
      ],
      ratio: {
        base: { currency: 'AED', date: '2026-03-06', rate: 3.6725 },
        quote: { currency: 'XOF', date: '2026-03-06', rate: 0.5 * 655.957 },
        date: '2026-03-06',
        rate: (0.5 * 655.957) / 3.6725,
      },
    },
  });
}

/** JPY/CHF from one source's rates per euro, the franc by way of the krone. */
export function sourceReceipt(): Receipt {
  return sealed({
    url: `/v2/rate/JPY/CHF?providers=ECB&date=2026-03-06&as_of=${KNOWN_AT}&expand=receipt`,
    known_at: KNOWN_AT,
    method: 1,
    inputs: [
      input('CHF ECB CHF/NOK 2026-03-05', 16),
      input('CHF ECB EUR/NOK 2026-03-06', 12, { bridge: true }),
      input('JPY ECB EUR/JPY 2026-03-06', 192),
    ],
    steps: {
      frame: [],
      consensus: [],
      weights: [],
      peg: [],
      source: {
        provider: 'ECB',
        per: 'EUR',
        figures: [
          { currency: 'JPY', date: '2026-03-06', rate: 192 },
          { currency: 'CHF', date: '2026-03-05', rate: 0.75 },
        ],
      },
      ratio: {
        base: { currency: 'JPY', date: '2026-03-06', rate: 192 },
        quote: { currency: 'CHF', date: '2026-03-05', rate: 0.75 },
        date: '2026-03-06',
        rate: 0.00390625,
      },
    },
  });
}
