import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { isHeldBack } from '../../../../core/domain/receipt/inputs.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import { digestOf, verify } from '../../../../core/domain/receipt/verify.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

const ROWS = [
  ...['ECB 2026-03-17 EUR/USD 1.15', 'ECB 2026-03-18 EUR/USD 1.16', 'ECB 2026-03-18 EUR/JPY 184'],
  ...['BOC 2026-03-18 USD/JPY 158.1', 'FRED 2026-03-12 USD/JPY 158.2', 'IMF 2026-03-18 USD/JPY 180'],
  ...['NBU 2026-03-17 USD/JPY 158.2', 'NBU 2026-03-18 USD/JPY 1584', 'HMRC 2026-03-01 GBP/USD 1.34'],
  ...['HMRC 2026-03-01 GBP/EUR 1.16', 'RBM 2026-03-16 USD/MWK 1734', 'RBM 2026-03-17 USD/MWK 17340'],
];

/** Answers of every kind. */
const ASKED = [
  ...['rate/EUR/JPY?', 'rate/XOF/JPY?', 'rate/EUR/XOF?precision=full&', 'rate/AED/USD?', 'rate/JPY/JPY?'],
  ...['rate/USD/JPY?providers=ECB&', 'rate/EUR/JPY?providers=BOC,ECB,FRED&', 'rate/USD/MWK?providers=RBM&'],
  ...['rate/USD/EUR?date=2026-03-18&rule=eu-vat&', 'rate/GBP/USD?date=2026-03-18&rule=uk-vat&'],
  ...['convert/EUR/JPY?amount=1250.50&', 'convert/USD/EUR?amount=3&date=2026-03-18&rule=pl-vat-ecb&'],
].map((path) => `/v2/${path}expand=receipt`);

type Json = null | string | number | boolean | Json[] | { [name: string]: Json };
type Answer = { [name: string]: Json } & { receipt: Receipt & { [name: string]: Json } };
type Path = readonly (string | number)[];

let answers: Answer[];
beforeAll(async () => {
  const { url } = await sharedApi(rowsOf(ROWS), { now: '2026-03-20T12:00:00Z' });
  const texts = await Promise.all(ASKED.map(async (path) => (await fetch(`${url}${path}`)).text()));
  for (const text of texts) expect([text, verify(text)]).toEqual([text, { ...PROVEN }]);
  answers = texts.map((text) => JSON.parse(text));
});
const PROVEN = {
  rate: expect.any(Number),
  base: expect.any(String),
  quote: expect.any(String),
  date: expect.any(String),
};

/** All places in a value, itself first. */
function placesIn(value: Json, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    path,
    ...inner.flatMap(([key, one]) => placesIn(one, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

/** Changes what is at a place; it is gone where that is undefined. */
type Change = (value: Json) => Json | undefined;

const isObject = (value: unknown): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const drop: Change = () => undefined;
const twice: Change = (value) => (Array.isArray(value) ? [...value, ...value.slice(-1)] : value);
const set =
  (value: Json): Change =>
  () =>
    value;
const times =
  (by: number): Change =>
  (value) =>
    typeof value === 'number' ? value * by : value;
const replace =
  (from: RegExp, to: string): Change =>
  (value) =>
    typeof value === 'string' ? value.replace(from, to) : value;
const add =
  (name: string, value: Json): Change =>
  (there) => {
    if (Array.isArray(there)) return [...there, value];
    return isObject(there) && !Object.hasOwn(there, name) ? { ...there, [name]: value } : there;
  };

const NAMES = ['extra', 'judgement', 'bridge', 'weight', 'suspect', 'left_out', 'rule', 'amount', 'valid_to'];
const CHANGES: readonly Change[] = [
  ...[drop, twice],
  ...NAMES.flatMap((name) => [null, true, 1, 'jump', {}].map((value) => add(name, value))),
  ...[null, true, 0, 1, '', 'jump', 'ECB', 'USD', '2026-03-16', '2099-01-01', [], {}].map(set),
  ...[-1, 0, 0.9, 1 + 1e-9, 10].map(times),
  ...[replace(/^/, ' '), replace(/03-(\d)/, '02-$1'), replace(/ECB/, 'BOC'), replace(/Z$/, '+00:00')],
  // Of addresses: another host, pair, day, instant or form.
  ...[replace(/^\/v2/, 'https://other.test/v2'), replace(/[A-Z]{3}\?/, 'CHF?')],
  ...[replace(/date=[\d-]+/, 'date=2026-05-01'), replace(/\d\dZ&/, '59Z&'), replace(/date=/, 'Date=')],
  ...[replace(/&as_of/, '&date=2026-03-18&as_of'), replace(/(date=[\d-]+)&(.*)/, '$2&$1')],
];

/** A value of JSON with a change at a place. */
function changedAt(value: Json, [key, ...rest]: Path, change: Change): Json | undefined {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.flatMap((one, at) => (at === key ? (changedAt(one, rest, change) ?? []) : [one]));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, one]) => {
    const inner = name === key ? changedAt(one, rest, change) : one;
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return Object.fromEntries(members);
}

/** With all hashes computed again, as by somebody who changes a receipt on purpose. */
function resealed(receipt: Json | undefined): Json | undefined {
  if (!isObject(receipt)) return receipt;
  const inputs = Array.isArray(receipt.inputs) ? receipt.inputs : [];
  for (const input of inputs) if (isObject(input)) input.sha256 = digestOf(input);
  return { ...receipt, sha256: digestOf(receipt) };
}

/** Whether what is at a place can't be computed: docs/audit.md lists what that is. */
function isNotProven(answer: Answer, place: Path, isResealed: boolean): boolean {
  const path = place.join('.');
  // Without its rule it is the answer to the plain request; an official rate may have ended before its period does.
  if (/^(rule|valid_to)$/.test(path)) return true;
  if (!isResealed) return false;
  const { inputs, steps } = answer.receipt;
  const [, index, name = ''] = /^receipt\.inputs\.(\d+)\.?(\w*)/.exec(path) ?? [];
  const input = inputs[Number(index)];
  if (!input) return /ratio\.base\.date$/.test(path) && steps.ratio.base.currency === 'AED';
  const unproven = ['recorded_at', 'evidence', 'judgement'];
  if (input.bridge) unproven.push('date');
  if (steps.source) unproven.push('suspect', '');
  return isHeldBack(input) || unproven.includes(name);
}

it('a change of any answer with a receipt is noticed, but for what cannot be computed', () =>
  fc.assert(
    fc.property(
      fc.nat(ASKED.length - 1),
      fc.nat(),
      fc.constantFrom(...CHANGES),
      fc.boolean(),
      fc.boolean(),
      (which, at, change, isResealed, isAlone) => {
        const answer = answers[which] ?? expect.fail('no answer');
        const places = placesIn(answer).filter(([first]) => first === 'receipt' || !isAlone);
        const place = places[at % places.length] ?? [];
        const changed = changedAt(answer, place, change);
        fc.pre(isObject(changed) && canonicalize(changed) !== canonicalize(answer));
        const receipt = isResealed ? resealed(changed.receipt) : changed.receipt;
        const forged = isAlone ? receipt : { ...changed, ...(receipt !== undefined && { receipt }) };
        const [before, after] = [isAlone ? answer.receipt : answer, forged].map((one) => canonicalize(one));
        fc.pre(before !== after && !isNotProven(answer, place, isResealed));
        expect(verify(JSON.stringify(forged ?? null))).toEqual({ wrong: expect.any(String) });
      },
    ),
    propertyRuns(10_000),
  ));

/** Which of the answers are of a blend, and of rules. */
const [BLEND, BY_RULE, CONVERTED, CONVERTED_BY_RULE] = [0, 8, 10, 11] as const;

const FORGED: readonly (readonly [which: number, place: string, change: Change])[] = [
  ...[BY_RULE, CONVERTED_BY_RULE].flatMap((which) =>
    [set('eu-oss'), drop].flatMap((change) =>
      ['id', 'citation', 'source'].map((name) => [which, `rule.${name}`, change] as const),
    ),
  ),
  [BY_RULE, 'rule.day', set('2026-03-17')],
  [CONVERTED, 'amount', drop],
  [CONVERTED, 'result', set('999999.99')],
  [BLEND, 'receipt.url', replace(/^/, 'https://other.test')],
  [BLEND, 'receipt.url', replace(/date=[\d-]+/, 'date=2026-04-02')],
  [BLEND, 'receipt.url', replace(/&as_of/, '&when=before&as_of')],
  [BLEND, 'receipt.url', replace(/&as_of/, '&as_of=2026-03-18T00:00:00.000Z&as_of')],
  [BLEND, 'receipt.inputs.BRIDGE.date', set('2026-03-17')],
  [BLEND, 'receipt.inputs.BRIDGE', add('left_out', 'outlier')],
  [BLEND, 'receipt.inputs.BRIDGE', add('suspect', 'jump')],
  [BLEND, 'receipt.steps.ratio.base.date', set('2026-03-17')],
  [BLEND, 'receipt.inputs.0', add('suspect', 'jump')],
  [BLEND, 'receipt.inputs.0.judgement', drop],
  [BLEND, 'receipt.method', set(1)],
  [BY_RULE, 'receipt.inputs.0', add('judgement', {})],
];

it.each(FORGED)('a forger is refused who changes, of the answer %i, %s', (which, place, change) => {
  const answer = answers[which] ?? expect.fail('no answer');
  const bridge = answer.receipt.inputs.findIndex((input) => input.bridge);
  const path = place.replace('BRIDGE', String(bridge)).split('.');
  const keys = path.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const changed = changedAt(answer, keys, change);
  const forged = isObject(changed) && { ...changed, receipt: resealed(changed.receipt) ?? null };
  expect(verify(JSON.stringify(forged))).toEqual({ wrong: expect.any(String) });
});
