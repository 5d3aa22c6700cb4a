import { BLEND_METHOD } from '../../../../core/domain/providers.js';
import type { Receipt, ReceiptInput } from '../../../../core/domain/receipt/schema.js';
import { sealed } from '../../../../core/domain/receipt/verify.js';

export const KNOWN_AT = '2026-03-06T16:00:00.000Z';
const DAY = '2026-03-06';

/** The weight of a row that is four days old. */
export const FOUR_DAYS = Math.exp(-0.5);

type Part = Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect' | 'evidence' | 'judgement'>;

/** An input from `FOR PROVIDER BASE/QUOTE DATE`, with its hash, judged by its pair's last rate, which was the same. */
export function input(name: string, rate: number, part: Partial<Part> = { weight: 1 }): ReceiptInput {
  const [currency = '', provider = '', pair = '', date = ''] = name.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  const row = { for: currency, provider, date, base, quote, rate };
  const judgement = { last: { date: '2026-03-01', rate } };
  return sealed({ ...row, recorded_at: '2026-03-06T15:30:00.000Z', evidence: null, judgement, ...part });
}

/** What a rate of 5 is ten times too large by. */
export const TENFOLD = {
  last: { date: '2026-03-01', rate: 0.5 },
  others: [{ provider: 'BOC', date: DAY, rate: 0.5 }],
};
/** The rows of one source are not judged. */
const OWN = { weight: 1, judgement: undefined };

const side = (currency: string, rate: number, date = DAY) => ({ currency, date, rate });
const framed = (currency: string, provider: string, rate: number, date = DAY) => ({
  ...{ currency, provider, date, rate, paths: 1 },
});

/** A receipt of a pair, with the parameters of its address before those that all have. */
function receipt(pair: string, inputs: ReceiptInput[], steps: Receipt['steps'], parameters = ''): Receipt {
  const url = `/v2/rate/${pair}?${parameters}date=${DAY}&as_of=${KNOWN_AT}&expand=receipt`;
  return sealed({ url, known_at: KNOWN_AT, method: BLEND_METHOD, inputs, steps });
}

/**
 * EUR/NOK from four sources of the euro, one of them an outlier, a fifth held back, and one source of the krone that is
 * brought to dollars.
 */
export function blendReceipt(): Receipt {
  const inputs = [
    input(`EUR BOC USD/EUR ${DAY}`, 0.5),
    input(`EUR ECB EUR/USD ${DAY}`, 2),
    input('EUR FRED USD/EUR 2026-03-02', 0.5, { weight: FOUR_DAYS }),
    input(`EUR IMF USD/EUR ${DAY}`, 0.75, { left_out: 'outlier' }),
    input(`EUR NBU USD/EUR ${DAY}`, 5, { left_out: 'suspect: factor_of_ten', judgement: TENFOLD }),
    input(`NOK ECB EUR/NOK ${DAY}`, 12),
    input(`NOK ECB EUR/USD ${DAY}`, 2, { bridge: true }),
  ];
  const [euro, krone] = [side('EUR', 0.5), side('NOK', 6)];
  return receipt('EUR/NOK', inputs, {
    frame: [
      ...[framed('EUR', 'BOC', 0.5), framed('EUR', 'ECB', 0.5), framed('EUR', 'FRED', 0.5, '2026-03-02')],
      ...[framed('EUR', 'IMF', 0.75), framed('NOK', 'ECB', 6)],
    ],
    consensus: [{ currency: 'EUR', median: 0.5, deviation: 0, limit: 0.025, excluded: ['IMF'] }],
    weights: [
      { ...euro, total: 2 + FOUR_DAYS },
      { ...krone, total: 1 },
    ],
    peg: [],
    ratio: { base: { ...euro }, quote: { ...krone }, date: DAY, rate: 12 },
  });
}

/** AED/XOF: both pegged, the one to the dollar and the other to the euro. */
export function peggedReceipt(): Receipt {
  const [dirham, franc] = [side('AED', 3.6725), side('XOF', 0.5 * 655.957)];
  return receipt('AED/XOF', [input(`EUR ECB EUR/USD ${DAY}`, 2)], {
    frame: [framed('EUR', 'ECB', 0.5)],
    consensus: [],
    weights: [{ ...side('EUR', 0.5), total: 1 }],
    peg: [
      { currency: 'AED', base: 'USD', rate: 3.6725 },
      { currency: 'XOF', base: 'EUR', rate: 655.957 },
    ],
    ratio: { base: dirham, quote: franc, date: DAY, rate: (0.5 * 655.957) / 3.6725 },
  });
}

/** JPY/CHF from one source's rates per euro, the franc by way of the krone. */
export function sourceReceipt(): Receipt {
  const inputs = [
    input('CHF ECB CHF/NOK 2026-03-05', 16, OWN),
    input(`CHF ECB EUR/NOK ${DAY}`, 12, { bridge: true, judgement: undefined }),
    input(`JPY ECB EUR/JPY ${DAY}`, 192, OWN),
  ];
  const [yen, franc] = [side('JPY', 192), side('CHF', 0.75, '2026-03-05')];
  const nothing = { frame: [], consensus: [], weights: [], peg: [] };
  const source = { provider: 'ECB', per: 'EUR', figures: [yen, franc] };
  const ratio = { base: { ...yen }, quote: { ...franc }, date: DAY, rate: 0.00390625 };
  return receipt('JPY/CHF', inputs, { ...nothing, source, ratio }, 'providers=ECB&');
}
