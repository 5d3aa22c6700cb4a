import { z } from 'zod';
import { converted } from '../amount.js';
import { BLEND_METHOD } from '../blend/method.js';
import { recencyWeight } from '../blend/weight.js';
import { dayNumber } from '../dates.js';
import { inForce, pegOf } from '../pegs.js';
import { roundForDisplay, roundForStorage } from '../rounding.js';
import { askedBy, differenceOfAddress } from './address.js';
import { digestOf } from './digest.js';
import { doubtOf, isBelievable } from './judgement.js';
import { type Receipt, type ReceiptInput, type ReceiptSteps, receiptSchema } from './schema.js';
import { computeSourceSteps } from './source-steps.js';
import { computeSteps, contributionsTo, type PairOfSides } from './steps.js';

/** A response with a receipt: the row of a pair, or a conversion. */
const response = z.looseObject({
  base: z.string(),
  quote: z.string(),
  rate: z.number(),
  receipt: receiptSchema,
  date: z.string(),
  observed: z.string().optional(),
  amount: z.string().optional(),
  result: z.string().optional(),
});

/** What a receipt proves, or the first thing in it that is wrong. */
export type Verdict = { rate: number; base: string; quote: string; date: string } | { wrong: string };

/** How the steps of each method are computed. A method that is replaced stays here. */
const METHODS: ReadonlyMap<number, typeof computeSteps> = new Map([
  [1, (pair, rows) => computeSteps(pair, rows)],
  [BLEND_METHOD, computeSteps],
]);

/** Computes a receipt again, alone or with the response that it came with: `text` is its JSON. */
export function verify(text: string): Verdict {
  const parsed = parse(text);
  if ('wrong' in parsed) return parsed;
  const { receipt, answer } = parsed;
  const wrong = firstDifference(receipt) ?? (answer && differenceOfAnswer(answer, receipt));
  if (wrong !== undefined) return { wrong };
  const { rate, base, quote, date } = receipt.steps.ratio;
  return { rate, base: base.currency, quote: quote.currency, date };
}

type Answer = z.output<typeof response>;

function parse(text: string): { receipt: Receipt; answer?: Answer } | { wrong: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: 'the file is no JSON' };
  }
  const isAnswer = typeof value === 'object' && value !== null && 'receipt' in value;
  const found = isAnswer ? response.safeParse(value) : receiptSchema.safeParse(value);
  if (!found.success) {
    const [issue] = found.error.issues;
    return { wrong: `${issue?.path.join('.') || 'the file'}: ${issue?.message}` };
  }
  return 'receipt' in found.data
    ? { receipt: found.data.receipt, answer: found.data }
    : { receipt: found.data };
}

function firstDifference(receipt: Receipt): string | undefined {
  const { method, inputs, steps } = receipt;
  const compute = METHODS.get(method);
  if (!compute) return `method: ${method} is not known`;
  return (
    differenceOfInputs(inputs, receipt.known_at) ??
    (steps.source
      ? differenceOfSource({ ...steps, source: steps.source }, inputs)
      : (differenceOfBlend(compute, receipt) ??
        differenceOfPegs(receipt) ??
        (method > 1 ? differenceOfJudgements(inputs) : undefined))) ??
    differenceOfAddress(receipt) ??
    differenceOfHashes(receipt)
  );
}

/** The inputs come in one order, each once, and none was recorded later than what was known. */
function differenceOfInputs(inputs: readonly ReceiptInput[], knownAt: string): string | undefined {
  for (const [index, input] of inputs.entries()) {
    const before = inputs[index - 1];
    if (before && inputName(before) >= inputName(input))
      return `inputs.${index}: out of order: ${inputName(input)}`;
    if (Date.parse(input.recorded_at) > Date.parse(knownAt))
      return `inputs.${index}.recorded_at: ${input.recorded_at} is later than known_at`;
  }
  return undefined;
}

/** The order of the inputs of a receipt. */
export function inputName(input: Pick<ReceiptInput, 'for' | 'provider' | 'base' | 'quote' | 'date'>): string {
  return `${input.for} ${input.provider} ${input.base}/${input.quote} ${input.date}`;
}

/** Whether an input is suspect and was left out for that. */
export function isHeldBack({ left_out }: Pick<ReceiptInput, 'left_out'>): boolean {
  return left_out?.startsWith('suspect') ?? false;
}

function differenceOfBlend(computeFor: typeof computeSteps, { inputs, steps }: Receipt): string | undefined {
  const rows = inputs.filter((input) => !isHeldBack(input));
  const sides = sidesOf(steps);
  const compute = (counted: readonly ReceiptInput[]) => computeFor(sides, counted);
  return (
    differenceOf('steps', compute(rows), steps) ??
    differenceOfWeights(rows, steps) ??
    unusedBridge(rows, (others) => differenceOf('steps', compute(others), steps) === undefined)
  );
}

/** Every peg is one that was in force on the day of its currency, and every currency that had one shows it. */
function differenceOfPegs({ url, steps }: Receipt): string | undefined {
  const { ratio, peg } = steps;
  const isOfSome = new URL(url, 'http://localhost').searchParams.has('providers');
  for (const { currency, date } of [ratio.base, ratio.quote]) {
    const stated = peg.find((one) => one.currency === currency);
    const known = isOfSome ? undefined : pegOf(currency);
    const inPlace = known && inForce(known)(dayNumber(date)) ? known : undefined;
    // A peg does not apply while its anchor has no rate.
    if (!stated && inPlace) continue;
    const found = differenceOf(
      `steps.peg.${currency}`,
      inPlace && figuresOf(inPlace),
      stated && figuresOf(stated),
    );
    if (found) return found;
  }
  const unused = peg.find(({ currency }) => ![ratio.base.currency, ratio.quote.currency].includes(currency));
  return unused && `steps.peg: ${unused.currency} is no side of the pair`;
}

function figuresOf({ base, rate }: { base: string; rate: number }) {
  return { base, rate };
}

/** Each row is left out if the rule holds it back by what it was judged by, and not if it takes it in. */
function differenceOfJudgements(inputs: readonly ReceiptInput[]): string | undefined {
  for (const input of inputs) {
    const { judgement } = input;
    if (!judgement) return `inputs ${inputName(input)}: judgement: nothing is stated`;
    const doubt = doubtOf(input, judgement);
    const isStated =
      doubt !== undefined && [`suspect: ${doubt}`, 'suspect: swapped'].includes(input.left_out ?? '');
    if (isBelievable(input, judgement) !== isHeldBack(input)) {
      if (!isHeldBack(input) || isStated || judgement.verdict === 'rejected') continue;
    }
    return isHeldBack(input)
      ? statedAndComputed(
          `inputs ${inputName(input)}: left_out`,
          input.left_out,
          doubt && `suspect: ${doubt}`,
        )
      : statedAndComputed(
          `inputs ${inputName(input)}: left_out`,
          undefined,
          judgement.verdict ?? `suspect: ${doubt}`,
        );
  }
  return undefined;
}

/** The first row that is said to bring others to dollars, without which the steps would be the same. */
function unusedBridge(
  rows: readonly ReceiptInput[],
  isEnough: (others: readonly ReceiptInput[]) => boolean,
): string | undefined {
  const unused = rows.find((row) => row.bridge && isEnough(rows.filter((other) => other !== row)));
  return unused && `inputs ${inputName(unused)}: brings no rate to dollars`;
}

/** Each figure of a source is made of one row, and one more where that brings it to the common currency. */
function differenceOfSource(
  steps: ReceiptSteps & { source: NonNullable<ReceiptSteps['source']> },
  inputs: readonly ReceiptInput[],
): string | undefined {
  const { source, ratio } = steps;
  const seen = new Set<string>();
  for (const input of inputs) {
    const name = `inputs ${inputName(input)}`;
    if (input.provider !== source.provider) return `${name}: is not of ${source.provider}`;
    if (!source.figures.some(({ currency }) => currency === input.for)) return `${name}: is for no figure`;
    const part = `${input.for} ${input.bridge}`;
    if (seen.has(part)) return `${name}: is one row too many`;
    seen.add(part);
    const weight = input.bridge ? undefined : 1;
    if (input.weight !== weight) return statedAndComputed(`${name}: weight`, input.weight, weight);
    if (input.left_out !== undefined)
      return statedAndComputed(`${name}: left_out`, input.left_out, undefined);
  }
  const pair = { ...source, base: ratio.base.currency, quote: ratio.quote.currency, date: ratio.date };
  return differenceOf('steps', computeSourceSteps(pair, inputs), steps);
}

function sidesOf({ ratio, peg }: ReceiptSteps): PairOfSides {
  const side = ({ currency, date }: { currency: string; date: string }) => ({
    currency,
    date,
    peg: peg.find((one) => one.currency === currency),
  });
  return { base: side(ratio.base), quote: side(ratio.quote), date: ratio.date };
}

/** Each input that counted has the weight of its age, each outlier says so, and none is there without use. */
function differenceOfWeights(
  rows: readonly ReceiptInput[],
  { weights, consensus }: ReceiptSteps,
): string | undefined {
  for (const { currency, date } of weights) {
    const excluded = consensus.find((one) => one.currency === currency)?.excluded ?? [];
    const contributions = contributionsTo(currency, date, rows);
    for (const input of rows) {
      if (input.for !== currency || input.bridge) continue;
      const name = `inputs ${inputName(input)}`;
      const isOutlier = excluded.includes(input.provider);
      if (isOutlier !== (input.left_out === 'outlier'))
        return statedAndComputed(`${name}: left_out`, input.left_out, isOutlier ? 'outlier' : undefined);
      const isThere = contributions.some(
        ({ provider, day }) => provider === input.provider && day === dayNumber(input.date),
      );
      if (!isThere) return `${name}: makes no rate of ${currency}`;
      const weight = isOutlier ? undefined : recencyWeight(dayNumber(date) - dayNumber(input.date));
      if (input.weight !== weight) return statedAndComputed(`${name}: weight`, input.weight, weight);
    }
  }
  const unused = rows.find((input) => !weights.some(({ currency }) => currency === input.for));
  return unused && `inputs ${inputName(unused)}: is for no rate`;
}

/** The hash of each input, then that of the whole, each told with what it can be that was changed. */
function differenceOfHashes(receipt: Receipt): string | undefined {
  for (const input of receipt.inputs) {
    if (input.sha256 === undefined) continue;
    const unchecked = isHeldBack(input)
      ? 'rate, left_out, recorded_at or evidence'
      : 'recorded_at or evidence';
    const wrong = differenceOf(
      `inputs ${inputName(input)}: ${unchecked}, by its sha256`,
      digestOf(input),
      input.sha256,
    );
    if (wrong) return wrong;
  }
  return differenceOf('sha256', digestOf(receipt), receipt.sha256);
}

function differenceOfAnswer(answer: Answer, receipt: Receipt): string | undefined {
  const { ratio } = receipt.steps;
  const { base, quote, date, observed, rate, amount, result } = answer;
  const isConversion = amount !== undefined;
  const shown = [roundForDisplay(ratio.rate), roundForStorage(ratio.rate)];
  return (
    differenceOf('base', ratio.base.currency, base) ??
    differenceOf('quote', ratio.quote.currency, quote) ??
    differenceOf(isConversion ? 'observed' : 'date', ratio.date, isConversion ? observed : date) ??
    (shown.includes(rate) ? undefined : `rate: ${rate} is stated, ${shown.join(' or ')} is computed`) ??
    (isConversion
      ? (differenceOf('result', converted(amount, rate, quote), result) ??
        differenceOf('', askedBy(receipt), { amount, date }))
      : undefined)
  );
}

/** The first place in which what is stated differs from what is computed. */
function differenceOf(path: string, computed: unknown, stated: unknown): string | undefined {
  if (typeof computed !== 'object' || computed === null || typeof stated !== 'object' || stated === null) {
    return Object.is(computed, stated) ? undefined : statedAndComputed(path, stated, computed);
  }
  const keys = new Set([...Object.keys(computed), ...Object.keys(stated)]);
  for (const key of keys) {
    const one = (computed as Record<string, unknown>)[key];
    const other = (stated as Record<string, unknown>)[key];
    const found = differenceOf(path === '' ? key : `${path}.${key}`, one, other);
    if (found) return found;
  }
  return undefined;
}

function statedAndComputed(path: string, stated: unknown, computed: unknown): string {
  return `${path}: ${show(stated)} is stated, ${show(computed)} is computed`;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
