import * as z from 'zod';
import { readDataFile } from '../process/project-files.js';
import { currencies, currencyCode, lifetimeOf } from './currencies.js';
import { dayNumber } from './dates.js';

const peg = z.strictObject({
  quote: currencyCode,
  base: currencyCode,
  rate: z.number().positive(),
  since: z.iso.date(),
  until: z.iso.date().optional(),
  authority: z.string(),
  source: z.url(),
});

const LEGISLATOR = 'Council of the European Union';

/**
 * A currency that its authority keeps at `rate` units per unit of `base`, from the day `since` on. `until` is
 * the first day without the peg. The file has it only if the currency outlives the peg.
 */
export type Peg = z.infer<typeof peg>;

/** Every peg, by currency: those that authorities state, and the rates at which the euro replaced currencies. */
export const pegs: readonly Peg[] = [...readPegs(), ...conversions()].sort((one, other) =>
  one.quote < other.quote ? -1 : 1,
);

const byQuote = new Map(pegs.map((peg) => [peg.quote, peg]));
const anchors = new Set(pegs.map(({ base }) => base));

/** The peg of a currency, past or present; undefined if it never had one. */
export function pegOf(quote: string): Peg | undefined {
  return byQuote.get(quote);
}

export function isAnchor(code: string): boolean {
  return anchors.has(code);
}

/** Tests whether a peg is in force on a day, or on all days from a first to a last. Day numbers. */
export function inForce({ since, until }: Peg): (first: number, last?: number) => boolean {
  const start = dayNumber(since);
  const end = until === undefined ? Number.POSITIVE_INFINITY : dayNumber(until);
  return (first, last = first) => first >= start && last < end;
}

export function withAnchors(currencies: Iterable<string>): Set<string> {
  const all = new Set(currencies);
  for (const { quote, base } of pegs) if (all.has(quote)) all.add(base);
  return all;
}

function readPegs(): Peg[] {
  const stated = readDataFile('pegs.json', z.array(peg));
  return stated.map((peg) => ({ ...peg, until: peg.until ?? lifetimeOf(peg.quote).until }));
}

/** Currencies that stayed in use beside their successor, at a rate fixed by law. */
function conversions(): Peg[] {
  return [...currencies.values()].flatMap(({ iso_code: quote, lifetime: { until = '', successor } }) => {
    if (!successor?.fixed || successor.fixed.since >= until) return [];
    const { code: base, ratio: rate, fixed } = successor;
    return [{ quote, base, rate, since: fixed.since, until, authority: LEGISLATOR, source: fixed.source }];
  });
}

export const fixedRatesSchema = z
  .record(
    z.string(),
    z.object({
      base: z.string().meta({ description: 'The currency that replaced it' }),
      rate: z
        .number()
        .meta({ description: 'Units of the old currency for one unit of base, fixed permanently' }),
      regulation: z.string().meta({ description: 'The law that fixes the rate' }),
      source: z.string(),
    }),
  )
  .meta({
    description:
      'Only if a currency of the pair no longer exists: the fixed conversion rates used, by currency',
    examples: [
      {
        DEM: {
          base: 'EUR',
          rate: 1.95583,
          regulation: 'Council Regulation (EC) No 2866/98',
          source: 'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:31998R2866',
        },
      },
    ],
  });

/** `rate` units of an ended currency are one of `base`, by law and permanently, so old debts have a rate. */
export type FixedRates = Readonly<z.output<typeof fixedRatesSchema>>;

/** `day` is a day number; undefined if none of the currencies has ended by then. */
export function fixedRatesAmong(codes: readonly string[], day: number): FixedRates | undefined {
  const fixed = codes.flatMap((code) => {
    const { until, successor } = lifetimeOf(code);
    if (until === undefined || !successor?.fixed || day < dayNumber(until)) return [];
    const { regulation, source } = successor.fixed;
    return [[code, { base: successor.code, rate: successor.ratio, regulation, source }] as const];
  });
  return fixed.length === 0 ? undefined : Object.fromEntries(fixed);
}

export function successorsOf({ base, quote }: { base: string; quote: string }, fixed: FixedRates = {}) {
  return { base: fixed[base]?.base ?? base, quote: fixed[quote]?.base ?? quote };
}

/** The rate of a pair at fixed rates, given the rate of the successors. Neither is rounded. */
export function atFixedRates(
  { base, quote }: { base: string; quote: string },
  ofSuccessors: number,
  fixed: FixedRates,
): number {
  return (ofSuccessors * (fixed[quote]?.rate ?? 1)) / (fixed[base]?.rate ?? 1);
}
