import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { currencies, lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, eachDay, isWeekend } from '../../core/domain/dates.js';
import { providers } from '../../core/domain/providers.js';
import { HEADER } from '../../worker/import/import.js';
import { seededRandom } from '../random.js';

const PAIRS_PER_PROVIDER = 30;
const DAILY_VOLATILITY = 0.004;
const PROVIDER_NOISE = 0.0008;
const OUTLIER_CHANCE = 0.0005;
const PUBLISHED_DIGITS = 6;
const CHUNK_LENGTH = 65_536;

/** The same options give the same history, which ends on `until`. */
interface SynthOptions {
  years: number;
  seed: number;
  until: CalendarDate;
}

/**
 * Synthetic rates for measuring: every provider publishes 30 pairs with its own pivot on every business day, each a
 * random walk with noise by provider and a few outliers. Five years are about 3.3 million rows. Sorted by date.
 */
export function* synthRates({ years, seed, until }: SynthOptions): Generator<RawRow> {
  const random = seededRandom(String(seed));
  const from = addDays(until, -Math.round(years * 365.25));
  const codes = [...currencies.keys()].filter((code) => livesThrough(code, from)).sort();
  const dollarRates = new Map(codes.map((code) => [code, code === 'USD' ? 1 : 10 ** (random() * 4 - 1)]));
  const publishers = providers.map(({ key, pivot_currency }) => {
    const pivot = pivot_currency !== null && dollarRates.has(pivot_currency) ? pivot_currency : 'USD';
    return { key, pivot, others: pickOthers(codes, pivot, random) };
  });
  for (const date of eachDay(from, until)) {
    if (isWeekend(date)) continue;
    for (const [code, rate] of dollarRates) {
      if (code !== 'USD') dollarRates.set(code, rate * Math.exp(DAILY_VOLATILITY * randomNormal(random)));
    }
    for (const { key, pivot, others } of publishers) {
      const pivotRate = dollarRates.get(pivot) ?? 1;
      for (const other of others) {
        const noise = Math.exp(PROVIDER_NOISE * randomNormal(random)) * (random() < OUTLIER_CHANCE ? 1.3 : 1);
        const rate = ((dollarRates.get(other) ?? 1) / pivotRate) * noise;
        // With a pivot of USD or EUR, rates are units of the other currency; with any other, units of the pivot.
        const quotesOthers = pivot === 'USD' || pivot === 'EUR';
        const [base, quote] = quotesOthers ? [pivot, other] : [other, pivot];
        yield {
          provider: key,
          date,
          base,
          quote,
          rate: Number((quotesOthers ? rate : 1 / rate).toPrecision(PUBLISHED_DIGITS)),
        };
      }
    }
  }
}

/** The same rates as CSV to import, in chunks. */
export function* syntheticCsv(options: SynthOptions): Generator<string> {
  let text = `${HEADER}\n`;
  for (const { provider, date, base, quote, rate } of synthRates(options)) {
    text += `${provider},${date},${base},${quote},${rate}\n`;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}

function livesThrough(code: string, from: CalendarDate): boolean {
  const { from: born, until } = lifetimeOf(code);
  return until === undefined && (born === undefined || born <= from);
}

/** The dollar first, so that all pairs connect to it; then the major currencies, then random ones. */
function pickOthers(codes: readonly string[], pivot: string, random: () => number): string[] {
  const picked = new Set(
    ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CNY', 'CAD', 'AUD'].filter((code) => codes.includes(code)),
  );
  picked.delete(pivot);
  while (picked.size < PAIRS_PER_PROVIDER) {
    const code = codes[Math.floor(random() * codes.length)];
    if (code !== undefined && code !== pivot) picked.add(code);
  }
  return [...picked];
}

/** An approximately normal number with mean 0 and deviation 1, from four uniform ones. */
function randomNormal(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}
