import { dayNumber, daysBetween, eachDay } from '../../../core/domain/dates.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import { type Formats, fractionOf } from './format.js';
import type { Scale } from './requests.js';

type Ticks = Readonly<{ dates: string[]; unit: 'day' | 'month' | 'year' }>;

const MONTH_DAYS = 30.44;
const DAY_STEPS = [1, 2, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600];
/** The first Monday since 1970, so that weeks begin with a Monday. */
const MONDAY = 4;

/** About `most` at most, in even steps. */
export function ticksOf(dates: readonly string[], most: number): Ticks {
  const [first] = dates;
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return { dates: [], unit: 'day' };
  const days = daysBetween(first, last);
  const dayStep = DAY_STEPS.find((step) => days / step <= most);
  if (dayStep) {
    const isTick = (date: string) => (dayNumber(date) - MONDAY) % dayStep === 0;
    return { dates: [...eachDay(first, last)].filter(isTick), unit: 'day' };
  }
  const step = MONTH_STEPS.find((months) => days / (months * MONTH_DAYS) <= most) ?? 1200;
  return { dates: monthsBetween(first, last, step), unit: step >= 12 ? 'year' : 'month' };
}

/** Every `step`-th month, counted from the year 0. */
function monthsBetween(first: string, last: string, step: number): string[] {
  const found: string[] = [];
  const [year = 0, month = 1] = first.split('-').map(Number);
  for (let number = Math.floor((year * 12 + month - 1) / step) * step; ; number += step) {
    const date = `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`;
    if (date > last) return found;
    if (date >= first) found.push(date);
  }
}

/** Between two levels, there is room for the newest rate. */
const MOST_LEVELS = 6;
const STEPS = [1, 2, 2.5, 5, 10, 20];

/** A multiple of the step is one in spite of the rounding of doubles. */
const NEAR = 1e-6;

/** Beyond this ratio of the ends, a logarithmic scale has levels of 1, 2 and 5 times powers of ten. */
const WIDE = 4;
const LOG_STEPS = [1, 2, 5];

/** On a logarithmic scale, equal changes are equally high, which is useful for years. */
export const alongOf = (scale: Scale): ((rate: number) => number) => (scale === 'log' ? Math.log : Number);

/** Multiples of an even step, from at or below the lowest rate to at or above the highest. */
export function stepsAround(low: number, high: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / MOST_LEVELS));
  const boundsOf = (step: number) => [Math.floor(low / step + NEAR), Math.ceil(high / step - NEAR)] as const;
  const steps = STEPS.map((one) => one * power);
  const step = steps.find((one) => boundsOf(one)[1] - boundsOf(one)[0] <= MOST_LEVELS) ?? high - low;
  const [first, last] = boundsOf(step);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** In even steps, or of growing distance on a wide logarithmic scale. */
export function levelsOf(
  [low, high]: readonly [low: number, high: number],
  { decimal }: Formats,
  scale: Scale,
) {
  if (isWide(low, high, scale)) return logLevelsOf(low, high, decimal);
  const [first = 0, second = 0, ...more] = stepsAround(low, high);
  const [decimals, nearly] = [decimalsOf(second - first), (second - first) * NEAR];
  return [first, second, ...more]
    .filter((rate) => rate > low - nearly && rate < high + nearly)
    .map((rate) => ({ rate, text: decimal(rate.toFixed(decimals)) }));
}

export function isWide(low: number, high: number, scale: Scale): boolean {
  return scale === 'log' && high / low > WIDE;
}

function logLevelsOf(low: number, high: number, decimal: Formats['decimal']) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.floor(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const steps = powers.length > 3 ? [1] : LOG_STEPS;
  return powers
    .flatMap((power) => steps.map((step) => ({ rate: step * 10 ** power, decimals: Math.max(0, -power) })))
    .filter(({ rate }) => rate >= low && rate <= high)
    .map(({ rate, decimals }) => ({ rate, text: decimal(rate.toFixed(decimals)) }));
}

/** Without the rounding of doubles. */
function decimalsOf(step: number): number {
  return fractionOf(plainDecimal(Number(step.toPrecision(6)))).length;
}
