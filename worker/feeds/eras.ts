import * as z from 'zod';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { isCurrency } from '../../core/domain/currencies.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { changePrices, type Sides } from '../../core/domain/sides.js';
import { readDataFile } from '../../core/process/project-files.js';

type Row = Omit<RawRow, 'provider'> & Sides;

/** The actual meaning of a code that a bank prints on some days. */
const eraSchema = z.strictObject({
  feed: z.string(),
  printed: z.string(),
  /** The actual code; absent if only the units differ. */
  code: z.string().optional(),
  /** First day, included. Default: unbounded. */
  from: z.iso.date().optional(),
  /** First day on which it no longer applies. Default: unbounded. */
  until: z.iso.date().optional(),
  /** The actual number of units of the price, where the bank states `said`. */
  units: z.number().optional(),
  said: z.number().optional(),
  /** Applies only if the price of one unit, as the bank states it, is above or below this. */
  above: z.number().optional(),
  below: z.number().optional(),
  /** Why the row is dropped. */
  dropped: z.string().optional(),
  /** How the meaning is known. */
  note: z.string().optional(),
});

type Era = z.infer<typeof eraSchema>;

/**
 * Codes and units that banks print wrong in their archives, by feed. The first match applies. Rows that are dropped anyway
 * are not listed: codes that are not currencies (AMCM's LIQ, BOI's CBK_L, CNB's XCU, LB's GER, RBM's CMD, NBRM's XBA for a
 * second euro), and currencies that are printed past their end (BDI's BGL, MZM and VEB, NBKR's BYR). BNA's STD and VEF have
 * the figures of STN and VES; its sheet and expectation pass them on unchanged, so they are dropped too.
 */
const eras = readDataFile('code_eras.json', z.array(eraSchema));

const byFeed = groupBy(eras, ({ feed }) => feed);

const meaningful = new Set(eras.flatMap(({ printed, code }) => (code === undefined ? [] : printed)));

/** Whether a code is that of a currency, or is printed by a bank for one. */
export function isCodeOfCurrency(code: string): boolean {
  return isCurrency(code) || meaningful.has(code);
}

/** A row in the codes that were in use and for one unit, or why to drop it. The row itself if it needs no change. */
export function normalizeCode(feed: string, row: Row): Row | { dropped: string } {
  const eras = byFeed.get(feed);
  if (!eras) return row;
  const { date, base, quote, rate } = row;
  const ofBase = eras.find((era) => applies(era, base, date, rate));
  const ofQuote = eras.find((era) => applies(era, quote, date, 1 / rate));
  const dropped = ofBase?.dropped ?? ofQuote?.dropped;
  if (dropped !== undefined) return { dropped };
  if (!ofBase && !ofQuote) return row;
  return {
    date,
    base: ofBase?.code ?? base,
    quote: ofQuote?.code ?? quote,
    ...changePrices(row, (price) => (price * tooMany(ofBase)) / tooMany(ofQuote)),
  };
}

/** The factor by which the divisor of the price was too large. */
function tooMany({ units = 1, said = 1 }: Partial<Era> = {}): number {
  return said / units;
}

function applies(
  { printed, from, until, above, below }: Era,
  code: string,
  date: CalendarDate,
  price: number,
): boolean {
  return (
    printed === code &&
    (from === undefined || date >= from) &&
    (until === undefined || date < until) &&
    (above === undefined || price > above) &&
    (below === undefined || price < below)
  );
}
