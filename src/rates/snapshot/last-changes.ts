import { type DayWindow, EVER, firstDayOf } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';

/** The data version that last changed the rates of each month and provider. Immutable. */
export interface LastChanges {
  /** By provider, `SEVERAL` for several and `ALL` for any; then by the first day (day number) of a month. */
  readonly months: ReadonlyMap<string, ReadonlyMap<number, NamedVersion>>;
  /** By provider, the currencies that are in all pairs that it ever published. */
  readonly hubs: ReadonlyMap<string, readonly string[]>;
}

interface NamedVersion {
  readonly version: bigint;
  readonly name: string;
}

/** A change of rates from one day to another (day numbers, both included). */
type Change = NamedVersion & DayWindow & { readonly provider: string | null };

const SEVERAL = '';
const ALL = '*';

/** Adds changes, in any order. The hubs are those after the changes. */
export function withChanges(
  old: LastChanges['months'],
  changes: readonly Change[],
  hubs: LastChanges['hubs'],
): LastChanges {
  const months = new Map<string, Map<number, NamedVersion>>();
  for (const { from, to, provider, version, name } of changes) {
    for (const key of [ALL, provider ?? SEVERAL]) {
      const ofKey = months.get(key) ?? new Map(old.get(key));
      months.set(key, ofKey);
      const first = firstDayOf('month', from);
      for (let month = first; month <= to; month = firstDayOf('month', month + LONGEST_MONTH)) {
        if ((ofKey.get(month)?.version ?? 0n) < version) ofKey.set(month, { version, name });
      }
    }
  }
  return { months: new Map([...old, ...months]), hubs };
}

const LONGEST_MONTH = 31;

/** Returns the newest version that changed rates of providers (default: all) in the months of a window; else empty. */
export function lastChangeOf(
  { months }: Pick<LastChanges, 'months'>,
  providers: readonly string[] | undefined,
  { from, to }: DayWindow,
): string {
  let newest: NamedVersion = { version: 0n, name: '' };
  const first = Number.isFinite(from) ? firstDayOf('month', from) : from;
  for (const key of providers ? [...providers, SEVERAL] : [ALL]) {
    for (const [month, change] of months.get(key) ?? []) {
      if (month >= first && month <= to && change.version > newest.version) newest = change;
    }
  }
  return newest.name;
}

/** The last changes of providers, which are searched once for each snapshot. */
const found = new WeakMap<LastChanges, Map<string, string>>();

interface Version {
  readonly version: string;
  readonly lastChanges?: LastChanges;
  /** Set for a past version. */
  readonly past?: { lastChangeOf(provider: string): string };
}

/** Returns the name of the last version that changed rates of a provider, up to the given one; empty if there is none. */
export function lastChangeOfProvider({ version, lastChanges, past }: Version, provider: string): string {
  if (past) return past.lastChangeOf(provider);
  if (!lastChanges) return version;
  const known = found.get(lastChanges) ?? new Map<string, string>();
  found.set(lastChanges, known);
  const name = known.get(provider) ?? lastChangeOf(lastChanges, [provider], EVER);
  known.set(provider, name);
  return name;
}

/** Whether a provider's rates on a day need only rows of that time: crossing pairs without its pivot needs all rows. */
export function isCrossedByDay({ hubs }: Pick<LastChanges, 'hubs'>, provider: string): boolean {
  const pivot = providerOf(provider)?.pivot_currency ?? null;
  return pivot === null || (hubs.get(provider)?.includes(pivot) ?? false);
}
