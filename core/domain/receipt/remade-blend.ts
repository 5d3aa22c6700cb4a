import { PIVOT, WINDOW_DAYS } from '../blend/carry-forward.js';
import { isCoarse } from '../blend/exclusions.js';
import { type CalendarDate, dayNumber, fromDayNumber } from '../dates.js';
import { inForce, pegOf } from '../pegs.js';
import { type Asked, checkDay } from './address.js';
import { checkSame } from './difference.js';
import { inputName, isHeldBack, type Remade, trustedInputs } from './inputs.js';
import { isTrusted, suspicionReason } from './judgement.js';
import type { Receipt, ReceiptInput, ReceiptSteps } from './schema.js';
import { blendedCurrency, type CountedRow, computeSteps, type PairOfSides, type Side } from './steps.js';

/** Recomputes the steps of a blend and the part of each row: blended, or held back by its judgement. Throws a RangeError. */
export function remadeOfBlend({ inputs, steps }: Receipt, asked: Asked): Remade {
  const facts = inputs.map(({ weight: _, bridge: _bridge, suspect: _suspect, ...input }) => input);
  const held = facts.filter(isHeldBack);
  const rows = facts.filter((input) => !isHeldBack(input)).map(({ left_out: _, ...input }) => input);
  const sides = sidesOf(steps, asked, rows);
  const remade = [sides.base, sides.quote].flatMap((side) => {
    const currency = blendedCurrency(side);
    if (currency === undefined) return [];
    const day = dayNumber(side.date);
    const isOwn = (row: CountedRow) => row.for === currency;
    const isOfPair = ({ base, quote }: CountedRow) => base === currency || quote === currency;
    const trusted = trustedInputs(rows.filter(isOwn), currency, day);
    return [
      ...trusted.filter((row) => isNewest(row, day, rows)),
      ...held.filter((row) => isOwn(row) && isOfPair(row) && isNewest(row, day, inputs)),
    ];
  });
  const computed = computeSteps(sides, rows);
  checkDay(asked, steps.ratio.date);
  checkDays(sides, steps, computed);
  inputs.forEach(checkJudgement);
  return { inputs: remade, steps: computed };
}

/** Both currencies with the pegs in force on their days. A peg does not apply while its anchor has no rate. */
function sidesOf({ ratio }: ReceiptSteps, asked: Asked, rows: readonly CountedRow[]): PairOfSides {
  const sideOf = (currency: string, date: CalendarDate): Side => {
    const peg = asked.providers ? undefined : pegOf(currency);
    const isGiven = peg && (peg.base === PIVOT || rows.some((row) => row.for === peg.base));
    return { currency, date, peg: isGiven && inForce(peg)(dayNumber(date)) ? peg : undefined };
  };
  const [base, quote] = [sideOf(asked.base, ratio.base.date), sideOf(asked.quote, ratio.quote.date)];
  return { base, quote, date: ratio.date };
}

/** Whether a row is within the days that count for a blend, and no other row of its pair is newer. */
function isNewest(row: CountedRow, day: number, others: readonly CountedRow[]): boolean {
  const [from, to] = [fromDayNumber(day - WINDOW_DAYS), fromDayNumber(day)];
  const isNewer = ({ provider, base, quote, date }: CountedRow) =>
    date > row.date && date <= to && provider === row.provider && base === row.base && quote === row.quote;
  return row.date >= from && row.date <= to && !others.some(isNewer);
}

/**
 * Checks the stated days. That of a currency must be that of its newest row that counted. The dollar must
 * have the day of the rate, and so must both currencies if the rate is the peg itself. That of a pegged
 * currency must be within the days that count.
 */
function checkDays({ base, quote }: PairOfSides, { ratio }: ReceiptSteps, computed: ReceiptSteps): void {
  const isPeg = quote.peg?.base === base.currency || base.peg?.base === quote.currency;
  for (const [name, side] of Object.entries({ base, quote })) {
    const path = `steps.ratio.${name}.date`;
    const currency = blendedCurrency(side);
    const isStated = side.peg !== undefined && !isPeg;
    const isOwn = currency !== undefined && side.peg === undefined && !isPeg;
    const date = isOwn ? newestOf(currency, computed) : ratio.date;
    if (!isStated) checkSame(path, date, side.date);
    const age = dayNumber(ratio.date) - dayNumber(side.date);
    if (age < 0 || age > WINDOW_DAYS)
      throw new RangeError(`${path}: ${side.date} does not count on ${ratio.date}`);
  }
}

function newestOf(currency: string, { frame, consensus }: ReceiptSteps): CalendarDate | undefined {
  const excluded = consensus.find((one) => one.currency === currency)?.excluded ?? [];
  const counted = frame.filter((one) => one.currency === currency && !excluded.includes(one.provider));
  return counted
    .map(({ date }) => date)
    .sort()
    .at(-1);
}

/** Checks that a row is left out exactly if the rule holds it back on its evidence. */
function checkJudgement(input: ReceiptInput): void {
  const { judgement, left_out: leftOut } = input;
  const name = `inputs ${inputName(input)}`;
  if (isCoarse(input)) throw new RangeError(`${name}: rate: ${input.rate} has too few digits to be blended`);
  if (!judgement) throw new RangeError(`${name}: judgement: nothing is stated`);
  const [isHeld, path] = [isHeldBack(input), `${name}: left_out`];
  const reason = `suspect: ${suspicionReason(input, judgement)}`;
  if (isTrusted(input, judgement) === isHeld)
    checkSame(path, isHeld ? undefined : (judgement.verdict ?? reason), leftOut);
  if (isHeld && judgement.verdict !== 'rejected' && leftOut !== 'suspect: swapped')
    checkSame(path, reason, leftOut);
}
