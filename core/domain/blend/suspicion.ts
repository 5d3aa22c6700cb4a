import { WINDOW_DAYS } from './carry-forward.js';

/** `apart`: without a last figure of its own, far from all others. */
export const SUSPICION_REASONS = ['factor_of_ten', 'inverted', 'swapped', 'jump', 'apart'] as const;
export type SuspicionReason = (typeof SUSPICION_REASONS)[number];

/** `day` is a day number. */
export interface Figure {
  day: number;
  rate: number;
}

/** The rate of the same pair according to another provider's trusted figure. */
export interface Witness extends Figure {
  provider: string;
}

export interface Evidence extends Figure {
  /** The provider's last trusted figure of the pair, however old. */
  last: Figure | undefined;
  /** The figures of others on the day; their last known ones if none had the currency in the 14 days up to it. */
  others: readonly Witness[];
  /** See `usualMove`. */
  usual: number;
}

export interface Suspicion {
  reason: SuspicionReason;
  /** The expected rate: that of the nearest other source, else the pair's own last rate. */
  expected: number;
}

// Distances are differences of logarithms, so that a rate and its inverse, and any scale, are judged in the same way. docs/suspects.md
// has the measurements behind each threshold.

/** Sources within 5 % agree, as in the consensus. If others have a rate, a move within 5 % is ordinary. */
const AGREEMENT = 0.05;
/** If no other source has a rate, moves within 12 % are ordinary. */
const ALONE = 0.12;
/** Moves up to four times the usual move of the last two weeks are ordinary too, because a crisis has many large moves. */
const TIMES_USUAL = 4;
/** After more days than a long weekend, the allowed move grows with the square root of time, as prices move. */
const CALM_DAYS = 4;
/** A move by a factor of 2.5 is never ordinary, however long the gap, nor is a factor of seven from others' last figures. */
const [LARGEST_MOVE, LARGEST_GAP] = [Math.log(2.5), Math.log(7)];
/** How close an error must be to a power of ten, to the inverse or to the other currency's rate. */
const SHAPE = 0.15;
/** For the errors of doubles: a factor of exactly 2.5 must be judged alike in every unit. */
const TOLERANCE = 1e-12;
/** A first figure within 30 % of others is trusted: official, parallel and customs rates are mostly closer than that. */
const FAR = Math.log(1.3);
/** These errors repeat every day if a bank changes its units or a page is misread. */
export const REPEATED_ERRORS: ReadonlySet<SuspicionReason> = new Set([
  'factor_of_ten',
  'inverted',
  'swapped',
]);
/** Consecutive publications that confirm such an error if no other source has a rate. */
export const MOST_PUBLICATIONS = 10;

/** Moves up to this are always ordinary. A difference of logarithms. */
export const ORDINARY_MOVE = AGREEMENT;
/** The same limit, relative to the previous rate. */
export const ORDINARY = 1 - Math.exp(-ORDINARY_MOVE);

/** Undefined if its move is ordinary or another source agrees. A first figure needs a near source, or none at all. */
export function suspicionOf(evidence: Evidence): Suspicion | undefined {
  const { rate, last, others } = evidence;
  if (last) {
    if (isOrdinaryMove(last, evidence, evidence)) return undefined;
    if (others.some((other) => agree(other, evidence))) return undefined;
  } else if (others.length === 0 || others.some((other) => isWithin(FAR, other, evidence, LARGEST_GAP))) {
    return undefined;
  }
  // If two are equally near, the lower one wins.
  const inOrder = others.toSorted(
    (one, other) => distance(rate, one.rate) - distance(rate, other.rate) || one.rate - other.rate,
  );
  const expected = inOrder[0]?.rate ?? last?.rate ?? rate;
  return { reason: shapeOf(rate, expected) ?? (last ? 'jump' : 'apart'), expected };
}

/** How many consecutive publications at its level confirm a suspect, including the suspect itself. */
export function publicationsNeeded(evidence: Evidence, reason: SuspicionReason): number {
  if (REPEATED_ERRORS.has(reason)) return isAlone(evidence) ? MOST_PUBLICATIONS : Number.POSITIVE_INFINITY;
  return isAlone(evidence) ? 2 : 4;
}

/**
 * Immediately if no more sources contradict than agree. A contradicted move of more than 30 % and a repeated
 * error need a second publication. Nothing may contradict a repeated error.
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

/** No other source had the currency in 14 days. Sources far from the pair's last recent figure don't count. */
function isAlone({ day, last, others }: Evidence): boolean {
  const isRecent = last && last.day >= day - WINDOW_DAYS;
  const speaks = (other: Witness) =>
    other.day >= day - WINDOW_DAYS && (!isRecent || isWithin(FAR, other, last));
  return !others.some(speaks);
}

/** Whether a pair may move so without confirmation, given the evidence of one of the figures. */
export function isOrdinaryMove(from: Figure, to: Figure, evidence: Evidence): boolean {
  const least = isAlone(evidence) ? ALONE : AGREEMENT;
  return isWithin(Math.max(least, TIMES_USUAL * evidence.usual), from, to);
}

/** Whether two figures of one pair agree, considering the days between them. */
export function agree(one: Figure, other: Figure): boolean {
  return isWithin(AGREEMENT, one, other);
}

/** The second largest move in 14 days, in logarithms; 0 with fewer than two. A single error does not raise it. */
export function usualMove(recent: readonly Figure[], day: number): number {
  const figures = recent.filter((one) => one.day < day && one.day >= day - WINDOW_DAYS);
  const moves = figures.slice(1).map((to, index) => {
    const from = figures[index] ?? to;
    return distance(from.rate, to.rate) / growth(from, to);
  });
  return Number((moves.sort((one, other) => other - one)[1] ?? 0).toFixed(6));
}

/** Whether two figures of a table were swapped: each is close to the expected rate of the other, and not to its own. */
export function areSwapped(one: Suspicion & Figure, other: Suspicion & Figure): boolean {
  return (
    distance(one.expected, other.expected) > 2 * SHAPE &&
    distance(one.rate, other.expected) <= SHAPE &&
    distance(other.rate, one.expected) <= SHAPE
  );
}

/** The absolute logarithm of their ratio. */
function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}

/** The factor by which the allowed move grows with the days between two figures. */
function growth(one: Figure, other: Figure): number {
  return Math.sqrt(Math.max(1, Math.abs(other.day - one.day) / CALM_DAYS));
}

function isWithin(limit: number, one: Figure, other: Figure, largest = LARGEST_MOVE): boolean {
  // One unit of the last digit is not a move: a rate of 0.13 can't move by less than a thirteenth.
  const unit = 10 ** -Math.max(decimals(one.rate), decimals(other.rate)) / Math.min(one.rate, other.rate);
  return distance(one.rate, other.rate) <= Math.min(limit * growth(one, other) + unit, largest) + TOLERANCE;
}

/** The number of decimals that a rate is printed with; negative for numbers such as 1e+21. */
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
