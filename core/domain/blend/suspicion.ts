import { WINDOW_DAYS } from './carry-forward.js';

/**
 * How a figure looks wrong: a power of ten too large or small, the inverse of what was expected, another currency's
 * figure, far from its own last figure, or, where it has none, far from all others.
 */
export const SUSPICION_REASONS = ['factor_of_ten', 'inverted', 'swapped', 'jump', 'apart'] as const;
export type SuspicionReason = (typeof SUSPICION_REASONS)[number];

/** A figure of a pair on a day (day number). */
export interface Figure {
  day: number;
  rate: number;
}

/** What another provider's believed figure makes of the same pair. */
export interface Witness extends Figure {
  provider: string;
}

/** What a figure is judged by: nothing else counts. */
export interface Evidence extends Figure {
  /** The provider's last believed figure of the pair, however old. */
  last: Figure | undefined;
  /** What others say on the day; where nobody gave the currency in the 14 days up to it, the last that was known. */
  others: readonly Witness[];
  /** How far the pair moved lately: see `usualMove`. */
  usual: number;
}

export interface Suspicion {
  reason: SuspicionReason;
  /** The rate that it was held against: that of the other source nearest to it, else its own last one. */
  expected: number;
}

// Distances are differences of logarithms, so that a rate and its inverse, and any scale, are judged alike. What each
// threshold was chosen by is measured in docs/suspects.md.

/** Sources within 5 % agree; where others speak, a move within 5 % is ordinary. Consensus draws its line there too. */
const AGREEMENT = 0.05;
/** Where nobody else speaks, moves within 12 % are ordinary. */
const ALONE = 0.12;
/** So are moves up to four times the usual one of the two weeks before: a crisis has many large moves. */
const TIMES_USUAL = 4;
/** After a long weekend the move to be expected grows with the square root of time, as that of prices. */
const CALM_DAYS = 4;
/** However long the gap, a factor of 2.5 is no ordinary move; nor, from what others last said, a factor of seven. */
const [LARGEST_MOVE, LARGEST_GAP] = [Math.log(2.5), Math.log(7)];
/** How near to a power of ten, to the inverse or to the other currency an error of that shape lies. */
const SHAPE = 0.15;
/** A first figure within 30 % of others is believed: official, parallel and customs rates mostly lie nearer. */
const FAR = Math.log(1.3);
/** A bank that changes its units, or a page that is read wrongly, repeats these errors every day. */
export const REPEATED_ERRORS: ReadonlySet<SuspicionReason> = new Set([
  'factor_of_ten',
  'inverted',
  'swapped',
]);
/** Publications in a row that confirm such an error where nobody else speaks. */
export const MOST_PUBLICATIONS = 10;

/** Moves up to this are ordinary whatever else is known, as the difference of logarithms. */
export const ORDINARY_MOVE = AGREEMENT;
/** The same, relative to the rate before. */
export const ORDINARY = 1 - Math.exp(-ORDINARY_MOVE);

/**
 * Why a figure can't be believed by itself, undefined where it can: it moved no further than is ordinary, or another
 * source agrees with it, or it is the first of its pair and some other source is near, or there is none.
 */
export function suspicionOf(evidence: Evidence): Suspicion | undefined {
  const { rate, last, others } = evidence;
  if (last) {
    if (isOrdinaryMove(last, evidence, evidence)) return undefined;
    if (others.some((other) => agree(other, evidence))) return undefined;
  } else if (others.length === 0 || others.some((other) => isWithin(FAR, other, evidence, LARGEST_GAP))) {
    return undefined;
  }
  // Of two that are equally near, the lower.
  const inOrder = others.toSorted(
    (one, other) => distance(rate, one.rate) - distance(rate, other.rate) || one.rate - other.rate,
  );
  const expected = inOrder[0]?.rate ?? last?.rate ?? rate;
  return { reason: shapeOf(rate, expected) ?? (last ? 'jump' : 'apart'), expected };
}

/** How many publications in a row at its level confirm a suspect, itself included. */
export function publicationsNeeded(evidence: Evidence, reason: SuspicionReason): number {
  if (REPEATED_ERRORS.has(reason)) return isAlone(evidence) ? MOST_PUBLICATIONS : Number.POSITIVE_INFINITY;
  return isAlone(evidence) ? 2 : 4;
}

/**
 * Whether suspects of other sources at the same level confirm a suspect: at once, if no more sources contradict them than
 * agree. A move of more than 30 % that anybody contradicts, and an error of a shape that repeats, need a second
 * publication; such an error must not be contradicted even then.
 */
export function isAgreedOn(
  { rate, expected }: Figure & Suspicion,
  isRepeated: boolean,
  { publications, peers, contradicting }: { publications: number; peers: number; contradicting: number },
): boolean {
  if (isRepeated) return peers > 0 && publications > 1 && contradicting === 0;
  const isFar = distance(rate, expected) > FAR && publications === 1;
  return peers > 0 && contradicting <= (isFar ? 0 : peers);
}

/**
 * Whether no other source speaks about a pair's moves: none gave the currency in the 14 days up to the day, but for those
 * of another market, which are far from the pair's last figure of these days.
 */
function isAlone({ day, last, others }: Evidence): boolean {
  const isRecent = last && last.day >= day - WINDOW_DAYS;
  const speaks = (other: Witness) =>
    other.day >= day - WINDOW_DAYS && (!isRecent || isWithin(FAR, other, last));
  return !others.some(speaks);
}

/** Whether a pair may go from one figure to a later one without anybody's confirmation, given what is known of one of them. */
export function isOrdinaryMove(from: Figure, to: Figure, evidence: Evidence): boolean {
  const least = isAlone(evidence) ? ALONE : AGREEMENT;
  return isWithin(Math.max(least, TIMES_USUAL * evidence.usual), from, to);
}

/** Whether two figures of one pair agree, given the days between them. */
export function agree(one: Figure, other: Figure): boolean {
  return isWithin(AGREEMENT, one, other);
}

/**
 * The second largest move between figures of a pair in the 14 days before a day, as the logarithm of a factor; 0 where
 * there are fewer than two. One error, or the first day of a crisis, does not make it large.
 */
export function usualMove(recent: readonly Figure[], day: number): number {
  const figures = recent.filter((one) => one.day < day && one.day >= day - WINDOW_DAYS);
  const moves = figures.slice(1).map((to, index) => {
    const from = figures[index] ?? to;
    return distance(from.rate, to.rate) / growth(from, to);
  });
  return Number((moves.sort((one, other) => other - one)[1] ?? 0).toFixed(6));
}

/** Whether each of two figures of a table is what was expected of the other, and not of itself. */
export function areSwapped(one: Suspicion & Figure, other: Suspicion & Figure): boolean {
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

/** How much further than in a few days a rate may go in the days between two figures. */
function growth(one: Figure, other: Figure): number {
  return Math.sqrt(Math.max(1, Math.abs(other.day - one.day) / CALM_DAYS));
}

function isWithin(limit: number, one: Figure, other: Figure, largest = LARGEST_MOVE): boolean {
  // One unit of the last digit is no move: a rate of 0.13 can't move by less than a thirteenth.
  const unit = 10 ** -Math.max(decimals(one.rate), decimals(other.rate)) / Math.min(one.rate, other.rate);
  return distance(one.rate, other.rate) <= Math.min(limit * growth(one, other) + unit, largest);
}

/** How many decimals a rate is printed with; negative for numbers such as 1e+21. */
function decimals(rate: number): number {
  const [digits = '', exponent = '0'] = String(rate).split('e');
  return (digits.split('.')[1]?.length ?? 0) - Number(exponent);
}

function shapeOf(rate: number, expected: number): SuspicionReason | undefined {
  const tens = Math.log10(rate / expected);
  const power = Math.round(tens);
  if (power !== 0 && Math.abs(tens - power) * Math.LN10 <= SHAPE) return 'factor_of_ten';
  const isInverse = distance(rate, 1 / expected) <= SHAPE && distance(rate, expected) > 2 * SHAPE;
  return isInverse ? 'inverted' : undefined;
}
