import { type Blend, blendDollars } from '../../../../core/domain/blend/blend.js';
import { carryForward, type RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { inDollars } from '../../../../core/domain/blend/dollar-pivot.js';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';

/** The blend as of a date of the rows of the fourteen days up to it. */
export function blend(rows: Iterable<RawRow>, asOf: string): Blend[] {
  return blendDollars(inDollars(carryForward(rows, asOf), dayNumber(asOf)));
}

/** What a blend is made of, by provider, then date. */
export function sourcesOf({ contributions, excluded }: Blend) {
  return contributions
    .map(({ provider, day, rate }) => {
      return { provider, date: fromDayNumber(day), rate, excluded: excluded.has(provider) };
    })
    .sort((one, other) => (one.provider + one.date < other.provider + other.date ? -1 : 1));
}
