/**
 * How a figure looks wrong: a power of ten too large or small, the inverse of what was expected, another currency's
 * figure, the last figure again while the others moved, far from its own last figure, or, where it has none, far
 * from all others.
 */
export const SUSPICION_REASONS = [
  'factor_of_ten',
  'inverted',
  'swapped',
  'unchanged',
  'jump',
  'apart',
] as const;
export type SuspicionReason = (typeof SUSPICION_REASONS)[number];

/** A provider's last figure of a pair that is not held back. */
export interface OwnFigure {
  day: number;
  rate: number;
  /** The largest relative move between its recent figures, fading (see `Series`). */
  swing: number;
}

/** What another source's figures make of the same pair, on the day and on the day of the provider's own last one. */
export interface OtherFigure {
  now: number;
  before: number | undefined;
}

/** A provider's new figure of a pair, and what is known beside it on its day. */
export interface Evidence {
  day: number;
  rate: number;
  own: OwnFigure | undefined;
  others: readonly OtherFigure[];
}

export interface Suspicion {
  reason: SuspicionReason;
  /** The rate that it was held against: that of the other source nearest to it, else its own last one. */
  expected: number;
  /** How many other sources gave the currency that day. None of them agreed. */
  others: number;
}

/** A figure that is held back, and why. */
export interface HeldFigure extends Suspicion {
  rate: number;
}

// All distances are differences of logarithms, so that a rate and its inverse, and any scale, are judged alike. What
// each threshold was chosen by is measured in docs/suspects.md, on 366,000 recorded rows.

/** Sources within 5 % agree; a move within 5 % is ordinary. The consensus of four sources draws its line there too. */
export const AGREEMENT = 0.05;
/** Where nobody else gives the currency, moves within 12 % are ordinary: crises have such days. */
const ALONE = 0.12;
/** Where a currency has swung lately, moves up to three times as large are ordinary. */
const SWINGS = 3;
/** But none beyond 20 %, or an error would excuse the next one. */
const LARGEST_SWING = 0.2;
/** After a week without a figure the move to be expected grows with the square root of time, as that of prices. */
const CALM_DAYS = 7;
/** However long the gap, a factor of 2.5 is no ordinary move. */
const LARGEST_MOVE = Math.log(2.5);
/** A figure is unchanged though the others moved when it agreed with one within 1 % and is now 2 % from all. */
const UNCHANGED_NOW = 0.02;
const UNCHANGED_THEN = 0.01;
/** How near to a power of ten, to the inverse or to the other currency an error of that shape lies. */
const SHAPE = 0.15;
/**
 * From 30 % on others contradict a figure: official, parallel and customs rates of one currency mostly lie nearer. One
 * source (CBG) has printed figures as wrong as that up to three times in a row.
 */
const FAR = Math.log(1.3);
const CONFIRMED_AFTER = 3;
/** A bank that changes its units, or a page that is read wrongly, repeats these errors every day. */
const REPEATED: ReadonlySet<SuspicionReason> = new Set(['factor_of_ten', 'inverted', 'swapped', 'unchanged']);

/**
 * Why a figure can't be believed yet, undefined where it can: it moved no further than is ordinary, or another
 * source agrees with it, or moved as it did. Depends on ratios only.
 */
export function suspicionOf(evidence: Evidence): Suspicion | undefined {
  const { rate, own, others } = evidence;
  const nearest = nearestTo(rate, others);
  if (own && rate === own.rate) return staleness(evidence, nearest);
  const apart = nearest ? distance(rate, nearest.now) : 0;
  if (own) {
    if (distance(rate, own.rate) <= ordinaryMove(own, evidence, nearest && apart)) return undefined;
    if (nearest && apart <= AGREEMENT) return undefined;
    if (others.some((other) => movedAlike(evidence, own, other))) return undefined;
  } else if (apart < FAR + coarseness(rate, nearest?.now ?? rate)) {
    return undefined;
  }
  const expected = nearest?.now ?? own?.rate ?? rate;
  const shape = shapeOf(rate, expected);
  return { reason: shape ?? (own ? 'jump' : 'apart'), expected, others: others.length };
}

/**
 * Whether a provider's next figure, some days later, stays at the level of one that is held back: within 5 % of it. If
 * no other source contradicts, a level that is still moving will do, as long as it does not go back.
 */
export function staysAtLevel(
  held: HeldFigure,
  next: { rate: number; days: number; own: number | undefined },
): boolean {
  const { rate, days, own } = next;
  const move = distance(held.rate, rate);
  if (move <= overTime(AGREEMENT, days) + coarseness(held.rate, rate)) return true;
  if (isContradicted(held) || own === undefined) return false;
  return move <= Math.min(SWINGS * distance(held.rate, own), LARGEST_SWING) && move < distance(own, rate);
}

/** How many later figures of its provider have to stay at the level of a suspect to confirm it. */
export function confirmationsNeeded(held: HeldFigure): number {
  if (held.reason !== 'unchanged' && !isContradicted(held)) return 1;
  return REPEATED.has(held.reason) ? Number.POSITIVE_INFINITY : CONFIRMED_AFTER;
}

function isContradicted({ rate, expected, others }: HeldFigure): boolean {
  return others > 0 && distance(rate, expected) >= FAR;
}

/** Whether another source's figure of the same currency confirms one that is held back. Both are in one unit. */
export function isConfirmedByOther(
  { reason }: Pick<Suspicion, 'reason'>,
  rate: number,
  other: number,
): boolean {
  return distance(rate, other) <= (reason === 'unchanged' ? UNCHANGED_THEN : AGREEMENT);
}

/** Whether each of two figures of a table is what was expected of the other, and not of itself. */
export function areSwapped(one: HeldFigure, other: HeldFigure): boolean {
  return (
    distance(one.expected, other.expected) > 2 * SHAPE &&
    distance(one.rate, other.expected) <= SHAPE &&
    distance(other.rate, one.expected) <= SHAPE
  );
}

/** The distance of two rates: the logarithm of their ratio, without its sign. */
function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}

/** How far a figure may be from the last one of its pair, given how far it is from other sources, if there are any. */
function ordinaryMove(
  own: OwnFigure,
  next: { day: number; rate: number },
  apart: number | undefined,
): number {
  const swing = Math.min(SWINGS * own.swing, LARGEST_SWING);
  const usual =
    apart === undefined ? Math.max(ALONE, swing) : apart < FAR ? Math.max(AGREEMENT, swing) : AGREEMENT;
  return Math.min(overTime(usual, next.day - own.day) + coarseness(own.rate, next.rate), LARGEST_MOVE);
}

function overTime(move: number, days: number): number {
  return days <= CALM_DAYS ? move : Math.min(move * Math.sqrt(days / CALM_DAYS), LARGEST_MOVE);
}

/** One unit of the last digit, relative to the rate: a rate of 0.13 can't move by less than a thirteenth. */
function coarseness(one: number, other: number): number {
  return 10 ** -Math.max(decimals(one), decimals(other)) / Math.min(one, other);
}

/** How many decimals a rate is printed with; negative for numbers such as 1e+21. */
function decimals(rate: number): number {
  const [digits = '', exponent = '0'] = String(rate).split('e');
  const [, fraction = ''] = digits.split('.');
  return fraction.length - Number(exponent);
}

function nearestTo(rate: number, others: readonly OtherFigure[]): OtherFigure | undefined {
  let nearest: OtherFigure | undefined;
  for (const other of others) {
    if (!nearest || distance(rate, other.now) < distance(rate, nearest.now)) nearest = other;
  }
  return nearest;
}

/** Whether another source, from which the provider has always been apart, moved by as much. */
function movedAlike({ rate }: Evidence, own: OwnFigure, { now, before }: OtherFigure): boolean {
  return before !== undefined && distance(rate / own.rate, now / before) <= AGREEMENT;
}

function staleness({ rate, others }: Evidence, nearest: OtherFigure | undefined): Suspicion | undefined {
  if (!nearest || distance(rate, nearest.now) <= UNCHANGED_NOW) return undefined;
  const agreed = others.some(
    ({ before }) => before !== undefined && distance(rate, before) <= UNCHANGED_THEN,
  );
  return agreed ? { reason: 'unchanged', expected: nearest.now, others: others.length } : undefined;
}

function shapeOf(rate: number, expected: number): SuspicionReason | undefined {
  const tens = Math.log10(rate / expected);
  if (Math.round(tens) !== 0 && Math.abs(tens - Math.round(tens)) * Math.LN10 <= SHAPE)
    return 'factor_of_ten';
  return distance(rate, 1 / expected) <= SHAPE ? 'inverted' : undefined;
}
