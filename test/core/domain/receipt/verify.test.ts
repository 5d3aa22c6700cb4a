import { expect, it } from 'vitest';
import { BLEND_METHOD } from '../../../../core/domain/providers.js';
import { inputName, isHeldBack } from '../../../../core/domain/receipt/inputs.js';
import type { Receipt, ReceiptInput } from '../../../../core/domain/receipt/schema.js';
import { digestOf, verify } from '../../../../core/domain/receipt/verify.js';
import {
  blendReceipt,
  FOUR_DAYS,
  input,
  KNOWN_AT,
  peggedReceipt,
  sourceReceipt,
  TENFOLD,
} from './made-receipts.js';

const DAY = '2026-03-06';
const BOC = `EUR BOC USD/EUR ${DAY}`;
const FRED = 'EUR FRED USD/EUR 2026-03-02';
const IMF = `EUR IMF USD/EUR ${DAY}`;
const HELD = `EUR NBU USD/EUR ${DAY}`;
const KRONE = `NOK ECB EUR/NOK ${DAY}`;
const FRANC = 'CHF ECB CHF/NOK 2026-03-05';
/** A bridge that no rate needs. */
const IDLE = `NOK FRED EUR/USD ${DAY}`;
const SECOND = `CHF ECB USD/NOK ${DAY}`;
const BRIDGE = `CHF ECB EUR/NOK ${DAY}`;

/** A row that a newer one of its pair has replaced. */
const REPLACED = 'EUR BOC USD/EUR 2026-03-05';
const BRINGING = `NOK ECB EUR/USD ${DAY}`;
const NO_PART = 'has no part in the rate';
const AS_JUMP = { left_out: 'suspect: jump' } as const;
const AS_HELD = { left_out: 'suspect: factor_of_ten', judgement: TENFOLD } as const;

type Change = (receipt: Receipt) => unknown;

const verdictOn = (content: unknown) => verify(JSON.stringify(content));

/** With its hashes computed again, as by somebody who changes a receipt on purpose. */
function resealed(receipt: Receipt): Receipt {
  for (const one of receipt.inputs) one.sha256 = digestOf(one);
  receipt.sha256 = digestOf(receipt);
  return receipt;
}

/** The verdict on a receipt that was changed, and sealed again. */
function changed(receipt: Receipt, change: Change) {
  change(receipt);
  return verdictOn(resealed(receipt));
}

function at(receipt: Receipt, name: string): ReceiptInput {
  const found = receipt.inputs.find((one) => inputName(one) === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

const set =
  (name: string, part: object): Change =>
  (receipt) =>
    Object.assign(at(receipt, name), part);

/** Puts an input in its place. */
const add =
  (name: string, rate: number, part?: Partial<ReceiptInput>): Change =>
  ({ inputs }) => {
    inputs.push(input(name, rate, part));
    inputs.sort((one, other) => (inputName(one) < inputName(other) ? -1 : 1));
  };

it.each([
  ['of a blend', blendReceipt(), { rate: 12, base: 'EUR', quote: 'NOK', date: DAY }],
  ['of pegs', peggedReceipt(), { rate: (0.5 * 655.957) / 3.6725, base: 'AED', quote: 'XOF', date: DAY }],
  ['of one source', sourceReceipt(), { rate: 1 / 256, base: 'JPY', quote: 'CHF', date: DAY }],
])('a right receipt %s proves its rate', (_, receipt, verdict) =>
  expect(verdictOn(receipt)).toEqual(verdict),
);

it('a receipt that is right may have other outliers of its one currency than of its other', () => {
  const verdict = changed(blendReceipt(), (receipt) => {
    const { frame, consensus, weights } = receipt.steps;
    for (const [provider, rate] of Object.entries({ FRED: 6, IMF: 6, NBU: 9 })) {
      const part: Partial<ReceiptInput> = rate === 9 ? { left_out: 'outlier' } : { weight: 1 };
      add(`NOK ${provider} USD/NOK ${DAY}`, rate, part)(receipt);
      frame.push({ currency: 'NOK', provider, date: DAY, rate, paths: 1 });
    }
    consensus.push({ currency: 'NOK', median: 6, deviation: 0, limit: 0.05 * 6, excluded: ['NBU'] });
    for (const one of weights) if (one.currency === 'NOK') one.total = 3;
  });
  expect(verdict).toMatchObject({ rate: 12 });
});

it('a receipt that is right may be recorded in the moment that it was known', () => {
  const atOnce: Change = ({ inputs }) => inputs.map((one) => Object.assign(one, { recorded_at: KNOWN_AT }));
  expect(changed(blendReceipt(), atOnce)).toMatchObject({ rate: 12 });
});

it.each<[wrong: string, change: Change]>([
  [`inputs.1: out of order: ${BOC}`, (one) => one.inputs.splice(1, 0, { ...at(one, BOC) })],
  [`inputs.6: out of order: ${BOC}`, ({ inputs }) => inputs.push(...inputs.splice(0, 1))],
  [
    'inputs.0.recorded_at: 2026-03-06T16:00:00.001Z is later than known_at',
    set(BOC, { recorded_at: '2026-03-06T16:00:00.001Z' }),
  ],
  [`inputs ${FRED}: weight: 1 is stated, ${FOUR_DAYS} is computed`, set(FRED, { weight: 1 })],
  [`inputs ${KRONE}: weight: nothing is stated, 1 is computed`, set(KRONE, { weight: undefined })],
  [`inputs ${BOC}: left_out: "outlier" is stated, nothing is computed`, set(BOC, { left_out: 'outlier' })],
  [`inputs ${IMF}: left_out: nothing is stated, "outlier" is computed`, set(IMF, { left_out: undefined })],
  [`inputs ${IMF}: weight: 1 is stated, nothing is computed`, set(IMF, { weight: 1 })],
  [`inputs ${REPLACED}: ${NO_PART}`, add(REPLACED, 0.5)],
  [`inputs EUR CBR USD/NOK ${DAY}: ${NO_PART}`, add(`EUR CBR USD/NOK ${DAY}`, 6)],
  [`inputs SEK ECB USD/SEK ${DAY}: ${NO_PART}`, add(`SEK ECB USD/SEK ${DAY}`, 9)],
  [`inputs ${IDLE}: ${NO_PART}`, add(IDLE, 2, { bridge: true })],
  [`inputs EUR NBU USD/EUR 2026-03-05: ${NO_PART}`, add('EUR NBU USD/EUR 2026-03-05', 5, AS_HELD)],
  // It is the row that brings the krone to dollars, too.
  [`inputs ${BRINGING}: differs from the same row for another currency`, set(BRINGING, { rate: 2.5 })],
  [`inputs ${BOC}: left_out: "suspect: jump" is stated, nothing is computed`, set(BOC, AS_JUMP)],
  [`inputs ${BOC}: suspect: "jump" is stated, nothing is computed`, set(BOC, { suspect: 'jump' })],
  [
    'steps.frame.4: nothing is stated, {"currency":"NOK","provider":"ECB","date":"2026-03-06","rate":6,"paths":1} is computed',
    ({ steps }) => steps.frame.pop(),
  ],
  [
    'steps.consensus.1: {"currency":"NOK","median":6,"deviation":0,"limit":1,"excluded":[]} is stated, nothing is computed',
    ({ steps: { consensus } }) =>
      consensus.push({ currency: 'NOK', median: 6, deviation: 0, limit: 1, excluded: [] }),
  ],
  [
    'steps.ratio.rate: 12.5 is stated, 12 is computed',
    ({ steps }) => Object.assign(steps.ratio, { rate: 12.5 }),
  ],
  [
    'steps.ratio.base.date: "2026-03-05" is stated, "2026-03-02" is computed',
    ({ steps }) => Object.assign(steps.ratio.base, { date: '2026-03-05' }),
  ],
  [
    `method: the receipt is of method 1, and this program can only verify method ${BLEND_METHOD}`,
    (receipt) => Object.assign(receipt, { method: 1 }),
  ],
])('what is wrong with a blend is named by its path: %s', (wrong, change) =>
  expect(changed(blendReceipt(), change)).toEqual({ wrong }),
);

const AS_OUTLIER = { left_out: 'outlier' } as const;
it.each<[wrong: string, change: Change]>([
  ['url: providers: does not name BOC', set(FRANC, { provider: 'BOC' })],
  [`inputs SEK ECB EUR/SEK ${DAY}: ${NO_PART}`, add(`SEK ECB EUR/SEK ${DAY}`, 11)],
  [`inputs JPY ECB JPY/NOK ${DAY}: ${NO_PART}`, add(`JPY ECB JPY/NOK ${DAY}`, 0.06)],
  [`inputs ${SECOND}: ${NO_PART}`, add(SECOND, 6, { bridge: true })],
  [`inputs ${FRANC}: weight: nothing is stated, 1 is computed`, set(FRANC, { weight: undefined })],
  [`inputs ${BRIDGE}: weight: 1 is stated, nothing is computed`, set(BRIDGE, { weight: 1 })],
  [`inputs ${FRANC}: left_out: "outlier" is stated, nothing is computed`, set(FRANC, AS_OUTLIER)],
  ['steps.source.per: the rows do not give the rate per "EUR"', (one) => one.inputs.splice(2, 1)],
  [
    'url: providers: DESK is not a source that this program knows',
    (one) => {
      one.url = one.url.replace('ECB', 'DESK');
      one.inputs = [];
    },
  ],
])('what is wrong with the inputs of one source is named: %s', (wrong, change) =>
  expect(changed(sourceReceipt(), change)).toEqual({ wrong }),
);

const leg = (currency: string, rate: number) => ({ currency, date: DAY, rate });

it.each<[wrong: string, change: Change]>([
  [
    'steps.peg.0.rate: 7.345 is stated, 3.6725 is computed',
    ({ steps }) => steps.peg.map((one) => Object.assign(one, { rate: one.rate * 2 })),
  ],
  [
    'steps.peg.1.base: "USD" is stated, "EUR" is computed',
    ({ steps }) => steps.peg.map((one) => Object.assign(one, { base: 'USD' })),
  ],
  [
    // It was invented, and there are no rows.
    'steps.ratio.quote.date: "2026-03-06" is stated, nothing is computed',
    (receipt) => {
      receipt.url = receipt.url.replace('AED/XOF', 'USD/GBP');
      receipt.inputs = [];
      const peg = [{ currency: 'GBP', base: 'USD', rate: 5 }];
      const ratio = { base: leg('USD', 1), quote: leg('GBP', 5), date: DAY, rate: 5 };
      receipt.steps = { frame: [], consensus: [], weights: [], peg, ratio };
    },
  ],
  [
    'steps.peg.0.rate: 4 is stated, 3.6725 is computed',
    ({ steps: { peg, ratio } }) => {
      for (const one of peg) if (one.currency === 'AED') one.rate = 4;
      ratio.base.rate = 4;
      ratio.rate = ratio.quote.rate / 4;
    },
  ],
])('what is wrong with a peg is named by its path: %s', (wrong, change) =>
  expect(changed(peggedReceipt(), change)).toEqual({ wrong }),
);

const far = { last: { date: '2026-03-05', rate: 0.9 }, others: [] };
const same = { last: { date: '2026-03-01', rate: 5 } };
const rejected = { last: { date: '2026-03-05', rate: 0.5 }, verdict: 'rejected' };
const REASON = '"suspect: factor_of_ten"';

it.each<[name: string, part: object, wrong: string | undefined]>([
  [BOC, { judgement: undefined }, 'judgement: nothing is stated'],
  [BOC, { rate: 0.0049, judgement: same }, 'rate: 0.0049 has too few digits to be blended'],
  // The rule takes it in.
  [HELD, { judgement: same }, `left_out: ${REASON} is stated, nothing is computed`],
  [HELD, { left_out: 'suspect: jump' }, `left_out: "suspect: jump" is stated, ${REASON} is computed`],
  // The rule holds it back.
  [BOC, { judgement: far }, 'left_out: nothing is stated, "suspect: jump" is computed'],
  [BOC, { judgement: rejected }, 'left_out: nothing is stated, "rejected" is computed'],
  [BOC, { judgement: { ...far, verdict: 'confirmed' } }, undefined],
])('the judgement of rows of %s with %j is checked', (name, part, wrong) => {
  const verdict = changed(blendReceipt(), set(name, part));
  expect(verdict).toMatchObject(wrong ? { wrong: `inputs ${name}: ${wrong}` } : { rate: 12 });
});

it('hashes tell what else of an input was changed', () => {
  const receipt = blendReceipt();
  const one = at(receipt, KRONE);
  const before = one.sha256;
  one.recorded_at = '2026-03-06T15:31:00.000Z';
  const wrong = `judgement, recorded_at or evidence, by its sha256: "${before}" is stated, "${digestOf(one)}" is computed`;
  expect(verdictOn(receipt)).toEqual({ wrong: `inputs ${KRONE}: ${wrong}` });
});

it('hashes alone tell another rate or reason of an input that is held back', () => {
  const receipt = blendReceipt();
  set(HELD, { rate: 5.2 })(receipt);
  const wrong = `inputs ${HELD}: rate, left_out, judgement, recorded_at or evidence, by its sha256: `;
  expect(verdictOn(receipt)).toEqual({ wrong: expect.stringContaining(wrong) });
});

it('hashes tell by that of the whole an input whose own hash was computed again', () => {
  const receipt = blendReceipt();
  const { sha256 } = receipt;
  const one = at(receipt, BOC);
  one.sha256 = digestOf(Object.assign(one, { evidence: [] }));
  const wrong = `sha256: "${sha256}" is stated, "${digestOf(receipt)}" is computed`;
  expect(verdictOn(receipt)).toEqual({ wrong });
});

const row = { date: DAY, base: 'EUR', quote: 'NOK', rate: 12 };

it.each([
  [{ base: 'USD' }, 'base: "USD" is stated, "EUR" is computed'],
  [{ quote: 'SEK' }, 'quote: "SEK" is stated, "NOK" is computed'],
  [{ date: '2026-03-05' }, 'date: "2026-03-05" is stated, "2026-03-06" is computed'],
  [{ rate: 12.5 }, 'rate: 12.5 is stated, 12 is computed'],
  [{ suspect: true }, 'suspect: true is stated, nothing is computed'],
  [{ valid_to: DAY }, `valid_to: "${DAY}" is stated, nothing is computed`],
  [{ amount: '2.50', result: '30.00' }, 'amount: "2.50" is stated, nothing is computed'],
])('a response with a receipt is wrong with %j', (change, wrong) => {
  expect(verdictOn({ ...row, receipt: blendReceipt(), ...change })).toEqual({ wrong });
});

it.each([
  ['', 11.1235],
  ['precision=full&', 11.123456789],
])('a response with a receipt shows the rate in the digits that %s asks for', (parameter, shown) => {
  const receipt = blendReceipt();
  receipt.url = receipt.url.replace('date=', `${parameter}date=`);
  set(KRONE, { rate: 11.123456789 })(receipt);
  const { frame, weights, ratio } = receipt.steps;
  for (const one of [frame[4], weights[1], ratio.quote]) Object.assign(one ?? {}, { rate: 5.5617283945 });
  ratio.rate = 11.123456789;
  const verdictWith = (rate: number) => verdictOn({ ...row, rate, receipt: resealed(receipt) });
  for (const rate of [11.1234, 11.1235, 11.123456789])
    expect(verdictWith(rate)).toEqual(
      rate === shown
        ? expect.objectContaining({ rate: 11.123456789 })
        : { wrong: `rate: ${rate} is stated, ${shown} is computed` },
    );
});

const receipt = blendReceipt();
receipt.url = `/v2/convert/EUR/NOK?amount=2.50&date=2026-03-08&as_of=${KNOWN_AT}&expand=receipt`;
const conversion = {
  ...{ base: 'EUR', quote: 'NOK', amount: '2.50', date: '2026-03-08', observed: DAY, rate: 12 },
  ...{ result: '30.00', receipt: resealed(receipt) },
};

it('a conversion with a receipt is right where its result is the amount times the rate', () =>
  expect(verdictOn(conversion)).toEqual({ rate: 12, base: 'EUR', quote: 'NOK', date: DAY }));

it.each([
  [{ observed: '2026-03-05' }, 'observed: "2026-03-05" is stated, "2026-03-06" is computed'],
  [{ observed: undefined }, 'observed: nothing is stated, "2026-03-06" is computed'],
  [{ result: '30.01' }, 'result: "30.01" is stated, "30.00" is computed'],
  [{ date: '2026-03-07' }, 'date: "2026-03-07" is stated, "2026-03-08" is computed'],
  [{ amount: undefined, result: '999999.99' }, 'amount: nothing is stated, "2.50" is computed'],
])('a conversion with a receipt is wrong with %j', (change, wrong) => {
  expect(verdictOn({ ...conversion, ...change })).toEqual({ wrong });
});

const INVALID_HASH = { date: '', base: '', quote: '', rate: 1, receipt: { ...blendReceipt(), sha256: 'x' } };
it.each([
  ['{', /^the file is not a JSON object$/],
  ['null', /^the file is not a JSON object$/],
  ['"receipt"', /^the file is not a JSON object$/],
  [JSON.stringify(blendReceipt()).replace('{', '{"method": 2,'), /^the file has a member twice$/],
  [JSON.stringify(blendReceipt()).replace('{', '{"__proto__":{},'), /^__proto__: \{\} is stated/],
  ['{}', /^the file holds no valid receipt: url: Invalid input/],
  [JSON.stringify({ ...blendReceipt(), known_at: 'now' }), /: known_at: Invalid/],
  [JSON.stringify({ receipt: blendReceipt() }), /^date: nothing is stated/],
  [
    JSON.stringify({ ...blendReceipt(), url: `${blendReceipt().url}&expand=receipt` }),
    /^url: is not written/,
  ],
  [JSON.stringify(INVALID_HASH), /: receipt\.sha256: Invalid/],
])('what is no receipt is refused: %.20s: %s', (text, wrong) => {
  expect(verify(text)).toEqual({ wrong: expect.stringMatching(wrong) });
});

it('an input is held back where a suspicion leaves it out', () => {
  const reasons = [undefined, 'outlier', 'suspect: jump'] as const;
  expect(reasons.map((left_out) => isHeldBack({ left_out }))).toEqual([false, false, true]);
});
