import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../core/domain/receipt/digest.js';
import type { Receipt, ReceiptInput } from '../../../../core/domain/receipt/schema.js';
import { inputName, isHeldBack, verify } from '../../../../core/domain/receipt/verify.js';
import { blendReceipt, input, KNOWN_AT, peggedReceipt, sourceReceipt } from './made-receipts.js';

/** With its hashes computed again, as who changes a receipt on purpose would. */
function resealed(receipt: Receipt): Receipt {
  for (const one of receipt.inputs) one.sha256 = digestOf(one);
  receipt.sha256 = digestOf(receipt);
  return receipt;
}

/** What is wrong with a receipt that was changed, and sealed again. */
function wrongIn(receipt: Receipt, change: (receipt: Receipt) => unknown): unknown {
  change(receipt);
  return (verify(JSON.stringify(resealed(receipt))) as { wrong?: unknown }).wrong;
}

function at(receipt: Receipt, name: string): ReceiptInput {
  const found = receipt.inputs.find((one) => inputName(one) === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

/** Puts an input in its place. */
function add(receipt: Receipt, added: ReceiptInput): void {
  receipt.inputs.push(added);
  receipt.inputs.sort((one, other) => (inputName(one) < inputName(other) ? -1 : 1));
}

describe('a receipt that is right', () => {
  it.each([
    ['of a blend', blendReceipt(), { rate: 12, base: 'EUR', quote: 'NOK', date: '2026-03-06' }],
    [
      'of pegs',
      peggedReceipt(),
      { rate: (0.5 * 655.957) / 3.6725, base: 'AED', quote: 'XOF', date: '2026-03-06' },
    ],
    ['of one source', sourceReceipt(), { rate: 1 / 256, base: 'JPY', quote: 'CHF', date: '2026-03-06' }],
  ])('%s proves its rate', (_, receipt, verdict) => {
    expect(verify(JSON.stringify(receipt))).toEqual(verdict);
  });

  it('may have other outliers of its one currency than of its other', () => {
    const receipt = blendReceipt();
    const { frame, consensus, weights } = receipt.steps;
    const krone = (provider: string, rate: number, part: Partial<ReceiptInput> = { weight: 1 }) => {
      add(receipt, input(`NOK ${provider} USD/NOK 2026-03-06`, rate, part));
      frame.push({ currency: 'NOK', provider, date: '2026-03-06', rate, paths: 1 });
    };
    krone('FRED', 6);
    krone('IMF', 6);
    krone('NBU', 9, { left_out: 'outlier' });
    consensus.push({ currency: 'NOK', median: 6, deviation: 0, limit: 0.05 * 6, excluded: ['NBU'] });
    for (const one of weights) if (one.currency === 'NOK') one.total = 3;
    expect(verify(JSON.stringify(resealed(receipt)))).toMatchObject({ rate: 12 });
  });

  it('may be recorded in the moment that it was known', () => {
    const receipt = blendReceipt();
    for (const one of receipt.inputs) one.recorded_at = KNOWN_AT;
    expect(verify(JSON.stringify(resealed(receipt)))).toMatchObject({ rate: 12 });
  });

  it('may have no hashes of its inputs, as those made before there were any', () => {
    const receipt = blendReceipt();
    for (const one of receipt.inputs) delete one.sha256;
    receipt.sha256 = digestOf(receipt);
    expect(verify(JSON.stringify(receipt))).toMatchObject({ rate: 12 });
  });
});

describe('what is wrong with the inputs of a blend is told by name', () => {
  const BOC = 'EUR BOC USD/EUR 2026-03-06';
  const IMF = 'EUR IMF USD/EUR 2026-03-06';

  it.each<[what: string, change: (receipt: Receipt) => unknown, wrong: string]>([
    [
      'an input that comes twice',
      (receipt) => receipt.inputs.splice(1, 0, { ...at(receipt, BOC) }),
      `inputs.1: out of order: ${BOC}`,
    ],
    [
      'an input out of its place',
      ({ inputs }) => inputs.push(...inputs.splice(0, 1)),
      `inputs.6: out of order: ${BOC}`,
    ],
    [
      'an input that was recorded later',
      (receipt) => {
        at(receipt, BOC).recorded_at = '2026-03-06T16:00:00.001Z';
      },
      'inputs.0.recorded_at: 2026-03-06T16:00:00.001Z is later than known_at',
    ],
    [
      'another weight',
      (receipt) => {
        at(receipt, 'EUR FRED USD/EUR 2026-03-02').weight = 1;
      },
      `inputs EUR FRED USD/EUR 2026-03-02: weight: 1 is stated, ${Math.exp(-0.5)} is computed`,
    ],
    [
      'no weight',
      (receipt) => {
        delete at(receipt, 'NOK ECB EUR/NOK 2026-03-06').weight;
      },
      'inputs NOK ECB EUR/NOK 2026-03-06: weight: nothing is stated, 1 is computed',
    ],
    [
      'an outlier that was none',
      (receipt) => {
        at(receipt, BOC).left_out = 'outlier';
      },
      `inputs ${BOC}: left_out: "outlier" is stated, nothing is computed`,
    ],
    [
      'an outlier that does not say so',
      (receipt) => {
        delete at(receipt, IMF).left_out;
      },
      `inputs ${IMF}: left_out: nothing is stated, "outlier" is computed`,
    ],
    [
      'an outlier with a weight',
      (receipt) => {
        at(receipt, IMF).weight = 1;
      },
      `inputs ${IMF}: weight: 1 is stated, nothing is computed`,
    ],
    [
      'a row that a newer one of its pair has replaced',
      (receipt) => add(receipt, input('EUR BOC USD/EUR 2026-03-05', 0.5)),
      'inputs EUR BOC USD/EUR 2026-03-05: makes no rate of EUR',
    ],
    [
      'a row of a provider that gives nothing',
      (receipt) => add(receipt, input('EUR CBR USD/NOK 2026-03-06', 6)),
      'inputs EUR CBR USD/NOK 2026-03-06: makes no rate of EUR',
    ],
    [
      'a row for a currency that nothing is blended of',
      (receipt) => add(receipt, input('SEK ECB USD/SEK 2026-03-06', 9)),
      'inputs SEK ECB USD/SEK 2026-03-06: is for no rate',
    ],
    [
      'a bridge that no rate needs',
      (receipt) => add(receipt, input('NOK FRED EUR/USD 2026-03-06', 2, { bridge: true })),
      'inputs NOK FRED EUR/USD 2026-03-06: brings no rate to dollars',
    ],
    [
      'a row that counted, said to be held back',
      (receipt) => {
        at(receipt, BOC).left_out = 'suspect: jump';
      },
      'steps.frame.0.provider: "BOC" is stated, "ECB" is computed',
    ],
  ])('%s', (_, change, wrong) => {
    expect(wrongIn(blendReceipt(), change)).toBe(wrong);
  });
});

describe('what is wrong with the inputs of one source is told by name', () => {
  const NOK = 'CHF ECB CHF/NOK 2026-03-05';

  it.each<[what: string, change: (receipt: Receipt) => unknown, wrong: string]>([
    [
      'a row of another source',
      (receipt) => {
        at(receipt, NOK).provider = 'BOC';
      },
      'inputs CHF BOC CHF/NOK 2026-03-05: is not of ECB',
    ],
    [
      'a row for a third currency',
      (receipt) => add(receipt, input('SEK ECB EUR/SEK 2026-03-06', 11)),
      'inputs SEK ECB EUR/SEK 2026-03-06: is for no figure',
    ],
    [
      'a second row of a currency',
      (receipt) => add(receipt, input('JPY ECB JPY/NOK 2026-03-06', 0.06)),
      'inputs JPY ECB JPY/NOK 2026-03-06: is one row too many',
    ],
    [
      'a second bridge of a currency',
      (receipt) => add(receipt, input('CHF ECB USD/NOK 2026-03-06', 6, { bridge: true })),
      'inputs CHF ECB USD/NOK 2026-03-06: is one row too many',
    ],
    [
      'a row without weight',
      (receipt) => {
        delete at(receipt, NOK).weight;
      },
      `inputs ${NOK}: weight: nothing is stated, 1 is computed`,
    ],
    [
      'a bridge with a weight',
      (receipt) => {
        at(receipt, 'CHF ECB EUR/NOK 2026-03-06').weight = 1;
      },
      'inputs CHF ECB EUR/NOK 2026-03-06: weight: 1 is stated, nothing is computed',
    ],
    [
      'a row that is left out',
      (receipt) => {
        at(receipt, NOK).left_out = 'outlier';
      },
      `inputs ${NOK}: left_out: "outlier" is stated, nothing is computed`,
    ],
    [
      'a missing row',
      ({ inputs }) => inputs.splice(2, 1),
      'steps.source.figures.0.currency: "JPY" is stated, "CHF" is computed',
    ],
  ])('%s', (_, change, wrong) => {
    expect(wrongIn(sourceReceipt(), change)).toBe(wrong);
  });
});

describe('what is wrong with the steps is told by its path', () => {
  it.each<[what: string, change: (receipt: Receipt) => unknown, wrong: string]>([
    [
      'a rate that is missing',
      ({ steps }) => steps.frame.pop(),
      'steps.frame.4: nothing is stated, {"currency":"NOK","provider":"ECB"',
    ],
    [
      'a consensus of too few',
      ({ steps }) =>
        steps.consensus.push({ currency: 'NOK', median: 6, deviation: 0, limit: 1, excluded: [] }),
      'steps.consensus.1: {"currency":"NOK","median":6,"deviation":0,"limit":1,"excluded":[]} is stated, nothing is',
    ],
    [
      'an outlier that counted',
      ({ steps }) => {
        for (const one of steps.consensus) one.excluded = [];
      },
      'steps.consensus.0.excluded.0: nothing is stated, "IMF" is computed',
    ],
    [
      'another sum of weights',
      ({ steps }) => {
        for (const one of steps.weights) one.total = 4;
      },
      'steps.weights.0.total: 4 is stated, 2.',
    ],
    [
      'a peg that was not applied',
      ({ steps }) => steps.peg.push({ currency: 'USD', base: 'NOK', rate: 1 }),
      'steps.peg.0: {"currency":"USD","base":"NOK","rate":1} is stated, nothing is computed',
    ],
    [
      'another ratio',
      ({ steps }) => {
        steps.ratio.rate = 12.5;
      },
      'steps.ratio.rate: 12.5 is stated, 12 is computed',
    ],
  ])('%s', (_, change, wrong) => {
    expect(wrongIn(blendReceipt(), change)).toContain(wrong);
  });

  it('a peg of another rate, or to another base', () => {
    expect(
      wrongIn(peggedReceipt(), ({ steps }) => {
        for (const one of steps.peg) one.rate *= 2;
      }),
    ).toBe('steps.ratio.base.rate: 3.6725 is stated, 7.345 is computed');
    expect(
      wrongIn(peggedReceipt(), ({ steps }) => {
        for (const one of steps.peg) one.base = 'USD';
      }),
    ).toBe(
      'steps.frame.0: {"currency":"EUR","provider":"ECB","date":"2026-03-06","rate":0.5,"paths":1} is stated, nothing is computed',
    );
  });

  it('a method that this version does not know', () => {
    expect(
      wrongIn(blendReceipt(), (receipt) => {
        receipt.method = 0;
      }),
    ).toBe('method: 0 is not known');
  });
});

describe('pegs', () => {
  it('that were invented are told, also where there are no rows', () => {
    const receipt = peggedReceipt();
    receipt.url = receipt.url.replace('AED/XOF', 'USD/GBP');
    receipt.inputs = [];
    const leg = (currency: string, rate: number) => ({ currency, date: '2026-03-06', rate });
    receipt.steps = {
      frame: [],
      consensus: [],
      weights: [],
      peg: [{ currency: 'GBP', base: 'USD', rate: 5 }],
      ratio: { base: leg('USD', 1), quote: leg('GBP', 5), date: '2026-03-06', rate: 5 },
    };
    expect(wrongIn(receipt, () => {})).toBe(
      'steps.peg.GBP: {"base":"USD","rate":5} is stated, nothing is computed',
    );
  });

  it('have the rate that they have', () => {
    const rateOfDirham = 4;
    expect(
      wrongIn(peggedReceipt(), ({ steps: { peg, ratio } }) => {
        for (const one of peg) if (one.currency === 'AED') one.rate = rateOfDirham;
        ratio.base.rate = rateOfDirham;
        ratio.rate = ratio.quote.rate / rateOfDirham;
      }),
    ).toBe('steps.peg.AED.rate: 4 is stated, 3.6725 is computed');
  });
});

describe('the judgement of rows', () => {
  /** A receipt by the second method, in which every row moved as is ordinary, and NBU's is ten times too large. */
  function judged(): Receipt {
    const receipt = blendReceipt();
    receipt.method = 2;
    for (const one of receipt.inputs) {
      const isHeld = one.left_out?.startsWith('suspect');
      const last = { date: '2026-03-01', rate: isHeld ? 0.5 : one.rate };
      const others = [{ provider: 'BOC', date: '2026-03-06', rate: 0.5 }];
      one.judgement = isHeld ? { last, others } : { last };
    }
    return resealed(receipt);
  }
  const HELD = 'EUR NBU USD/EUR 2026-03-06';
  const COUNTED = 'EUR BOC USD/EUR 2026-03-06';
  const wrongWith = (name: string, change: (one: ReceiptInput) => void) =>
    wrongIn(judged(), (receipt) => change(at(receipt, name)));

  it('is repeated', () => {
    expect(verify(JSON.stringify(judged()))).toMatchObject({ rate: 12 });
    expect(wrongWith(COUNTED, (one) => delete one.judgement)).toBe(
      `inputs ${COUNTED}: judgement: nothing is stated`,
    );
  });

  it('tells a row that is left out though the rule takes it in', () => {
    const wrong = (reason: string) =>
      `inputs ${HELD}: left_out: "suspect: factor_of_ten" is stated, ${reason} is computed`;
    expect(wrongWith(HELD, (one) => (one.judgement = { last: { date: '2026-03-01', rate: 5 } }))).toBe(
      wrong('nothing'),
    );
    expect(wrongWith(HELD, (one) => Object.assign(one.judgement ?? {}, { verdict: 'confirmed' }))).toBe(
      wrong('"suspect: factor_of_ten"'),
    );
    expect(wrongWith(HELD, (one) => Object.assign(one, { left_out: 'suspect: jump' }))).toBe(
      `inputs ${HELD}: left_out: "suspect: jump" is stated, "suspect: factor_of_ten" is computed`,
    );
  });

  it('tells a row that counts though the rule holds it back', () => {
    const far = { last: { date: '2026-03-05', rate: 0.9 }, others: [] };
    expect(wrongWith(COUNTED, (one) => (one.judgement = far))).toBe(
      `inputs ${COUNTED}: left_out: nothing is stated, "suspect: jump" is computed`,
    );
    const rejected = { last: { date: '2026-03-05', rate: 0.5 }, verdict: 'rejected' } as const;
    expect(wrongWith(COUNTED, (one) => (one.judgement = rejected))).toBe(
      `inputs ${COUNTED}: left_out: nothing is stated, "rejected" is computed`,
    );
    const confirmed = { ...far, verdict: 'confirmed' } as const;
    expect(wrongWith(COUNTED, (one) => (one.judgement = confirmed))).toBeUndefined();
  });
});

describe('hashes', () => {
  const wrong = (receipt: Receipt) => (verify(JSON.stringify(receipt)) as { wrong?: string }).wrong;

  it('tell what else of an input was changed', () => {
    const receipt = blendReceipt();
    const one = at(receipt, 'NOK ECB EUR/NOK 2026-03-06');
    const before = one.sha256;
    one.recorded_at = '2026-03-06T15:31:00.000Z';
    expect(wrong(receipt)).toBe(
      `inputs NOK ECB EUR/NOK 2026-03-06: recorded_at or evidence, by its sha256: "${before}" is stated, "${digestOf(one)}" is computed`,
    );
  });

  it('alone tell another rate or reason of an input that is held back', () => {
    const receipt = blendReceipt();
    at(receipt, 'EUR NBU USD/EUR 2026-03-06').rate = 6;
    expect(wrong(receipt)).toContain(
      'inputs EUR NBU USD/EUR 2026-03-06: rate, left_out, recorded_at or evidence, by its sha256: ',
    );
  });

  it('tell by that of the whole which evidence was taken away with its hash', () => {
    const receipt = blendReceipt();
    const { sha256 } = receipt;
    delete at(receipt, 'EUR BOC USD/EUR 2026-03-06').sha256;
    expect(wrong(receipt)).toBe(`sha256: "${sha256}" is stated, "${digestOf(receipt)}" is computed`);
  });
});

describe('a response with a receipt', () => {
  const row = { date: '2026-03-06', base: 'EUR', quote: 'NOK', rate: 12 };
  const wrong = (change: object) =>
    (verify(JSON.stringify({ ...row, receipt: blendReceipt(), ...change })) as { wrong?: string }).wrong;

  it('is right where it is about the pair, day and rate of its receipt', () => {
    expect(verify(JSON.stringify({ ...row, receipt: blendReceipt() }))).toEqual({
      rate: 12,
      base: 'EUR',
      quote: 'NOK',
      date: '2026-03-06',
    });
  });

  it.each([
    [{ base: 'USD' }, 'base: "USD" is stated, "EUR" is computed'],
    [{ quote: 'SEK' }, 'quote: "SEK" is stated, "NOK" is computed'],
    [{ date: '2026-03-05' }, 'date: "2026-03-05" is stated, "2026-03-06" is computed'],
    [{ rate: 12.1 }, 'rate: 12.1 is stated, 12 or 12 is computed'],
  ])('is wrong with %j', (change, message) => {
    expect(wrong(change)).toBe(message);
  });

  it('may show the rate rounded, or with all digits that are stored', () => {
    const receipt = blendReceipt();
    for (const one of receipt.inputs) if (one.base === 'EUR' && one.quote === 'NOK') one.rate = 11.123456789;
    Object.assign(receipt.steps.frame[4] ?? {}, { rate: 5.5617283945 });
    Object.assign(receipt.steps.weights[1] ?? {}, { rate: 5.5617283945 });
    receipt.steps.ratio.quote.rate = 5.5617283945;
    receipt.steps.ratio.rate = 11.123456789;
    const shown = (rate: number) => verify(JSON.stringify({ ...row, rate, receipt: resealed(receipt) }));
    expect(shown(11.1235)).toMatchObject({ rate: 11.123456789 });
    expect(shown(11.123456789)).toMatchObject({ rate: 11.123456789 });
    expect(shown(11.1234)).toEqual({
      wrong: 'rate: 11.1234 is stated, 11.1235 or 11.123456789 is computed',
    });
  });

  it('is wrong where its receipt is', () => {
    const receipt = { ...blendReceipt(), method: 3 };
    expect(verify(JSON.stringify({ ...row, receipt }))).toEqual({ wrong: 'method: 3 is not known' });
  });
});

describe('a conversion with a receipt', () => {
  const receipt = blendReceipt();
  receipt.url = `/v2/convert/EUR/NOK?amount=2.50&date=2026-03-08&as_of=${KNOWN_AT}&expand=receipt`;
  resealed(receipt);
  const conversion = {
    base: 'EUR',
    quote: 'NOK',
    amount: '2.50',
    date: '2026-03-08',
    observed: '2026-03-06',
    rate: 12,
    result: '30.00',
  };
  const verdict = (change: object) => verify(JSON.stringify({ ...conversion, receipt, ...change }));

  it('is right where its result is the amount times the rate', () => {
    expect(verdict({})).toEqual({ rate: 12, base: 'EUR', quote: 'NOK', date: '2026-03-06' });
  });

  it.each([
    [{ observed: '2026-03-05' }, 'observed: "2026-03-05" is stated, "2026-03-06" is computed'],
    [{ observed: undefined }, 'observed: nothing is stated, "2026-03-06" is computed'],
    [{ result: '30.01' }, 'result: "30.01" is stated, "30.00" is computed'],
    [{ amount: '2.5' }, 'amount: "2.5" is stated, "2.50" is computed'],
    [{ date: '2026-03-07' }, 'date: "2026-03-07" is stated, "2026-03-08" is computed'],
  ])('is wrong with %j', (change, wrong) => {
    expect(verdict(change)).toEqual({ wrong });
  });
});

describe('what is no receipt', () => {
  const response = { date: '', base: '', quote: '', rate: 1 };
  it.each([
    ['no JSON', '{', /^the file is no JSON$/],
    ['nothing', 'null', /^the file: Invalid input/],
    ['a text', '"receipt"', /^the file: Invalid input/],
    ['an empty object', '{}', /^url: Invalid input/],
    ['an instant that is none', JSON.stringify({ ...blendReceipt(), known_at: 'now' }), /^known_at: Invalid/],
    ['half a response', JSON.stringify({ receipt: blendReceipt() }), /^base: Invalid input/],
    [
      'a hash that is none',
      JSON.stringify({ ...response, receipt: { ...blendReceipt(), sha256: 'x' } }),
      /^receipt\.sha256: Invalid/,
    ],
  ])('is told: %s', (_, text, wrong) => {
    expect(verify(text)).toEqual({ wrong: expect.stringMatching(wrong) });
  });
});

it.each([
  [undefined, false],
  ['outlier', false],
  ['no suspect', false],
  ['suspect: jump', true],
])('an input with left_out %s is held back: %s', (left_out, held) => {
  expect(isHeldBack({ left_out })).toBe(held);
});
