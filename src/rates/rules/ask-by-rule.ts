import type { Clock } from '../../../core/domain/clock.js';
import type { CatalogueHolder } from '../../catalogue/holder.js';
import type { Ask } from '../engine/ask.js';
import { clockAt, type ResolvedRequest, type RowsShown } from '../engine/request.js';
import type { Ruling } from './resolve.js';

export interface RuleDependencies {
  /** Contains the time of each provider's last read. */
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

/** When the sources of rules were last read, if known. It is plain data. */
export interface ReadTimes {
  /** The instant of the request, in milliseconds since 1970. */
  readonly now: number;
  /** In milliseconds since 1970, by provider; empty for an instant in the past, for which it is unknown. */
  readonly readAt: ReadonlyMap<string, number>;
  /** The data version of those times. An older snapshot in memory may lack rates that were read since. */
  readonly version: bigint;
}

export function readTimes(
  { catalogue: holder, clock }: RuleDependencies,
  { asOf }: Pick<ResolvedRequest, 'asOf'>,
): ReadTimes {
  const catalogue = holder.current();
  const readAt = new Map<string, number>();
  for (const [key, { newestReadAt }] of asOf === undefined ? (catalogue?.providers ?? []) : [])
    if (newestReadAt) readAt.set(key, newestReadAt.getTime());
  return { now: clockAt(asOf, clock)().getTime(), readAt, version: catalogue?.version ?? 0n };
}

/** Returns an `Ask` for the resolved request of a rule, which adds the rule. Without a rule it is the plain one. */
export function askByRule(ask: Ask, ruling: Ruling | undefined, dependencies: RuleDependencies): Ask {
  if (!ruling) return ask;
  return (maker, { request, layout, rows }, options) =>
    ask(
      `${maker}-by-rule`,
      { request, layout: { ...layout, ruling }, rows: rows && rowsOfRule(ruling, rows) },
      { ...options, input: { ...options?.input, ruling, times: readTimes(dependencies, request) } },
    );
}

/** A mean is requested by its first day, and made from all days of its range. */
function rowsOfRule({ from, picked: { day: to } }: Ruling, rows: RowsShown): RowsShown {
  return from === undefined ? rows : { form: 'range', from, to, period: 'day' };
}
