import type { Coverage } from '../../core/database/coverage.js';
import {
  changesSince,
  type DataVersion,
  providersChanged,
  yearsOfRevisions,
} from '../../core/database/data-versions.js';
import type { Transaction } from '../../core/database/transactions.js';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import {
  type CalendarDate,
  type DayWindow,
  dayNumber,
  daysOfYear,
  unionOf,
} from '../../core/domain/dates.js';
import type { Manifest, ManifestFile } from '../../core/publication/open-publication.js';

interface ObservationsPart extends DayWindow {
  provider: string;
  /** The file's path without its hash. */
  name: string;
}

export interface Plan {
  kept: readonly ManifestFile[];
  observations: readonly ObservationsPart[];
  /** Years of blended days to read; undefined for all. */
  blended: readonly number[] | undefined;
  revisions: readonly number[];
  /** Days whose published rates may have changed; undefined for all days. */
  days: readonly DayWindow[] | undefined;
}

/** A path without its hash, such as `blended/2026`. */
function nameOf(path: string): string {
  return path.replace(/\.[0-9a-f]{16}\.parquet$/, '');
}

interface Planned {
  newest: DataVersion;
  coverage: Coverage;
  previous: Manifest | undefined;
}

/** What has changed since the previous manifest, or everything if that is unknown. */
export async function planPublication(view: Transaction, planned: Planned): Promise<Plan> {
  const parts = observationsParts(planned);
  const changes = await planChanges(view, planned, parts);
  if (changes) return changes;
  const revisions = await yearsOfRevisions(view, undefined);
  return { kept: [], observations: parts, blended: undefined, revisions, days: undefined };
}

/** A provider has one file for the year of the data version, and one for all earlier years. */
function observationsParts({ newest, coverage }: Planned): ObservationsPart[] {
  const year = new Date(newest.createdAt).getUTCFullYear();
  const turn = daysOfYear(year).from;
  return [...coverage].flatMap(([provider, spans]) => {
    const whole = unionOf(spans.values());
    if (!whole) return [];
    const [from, to] = [dayNumber(whole.from), dayNumber(whole.to)];
    const name = `observations/${provider}/`;
    return [
      { provider, name: `${name}to-${year - 1}`, from, to: Math.min(to, turn - 1) },
      { provider, name: `${name}${year}`, from: Math.max(from, turn), to },
    ].filter((part) => part.from <= part.to);
  });
}

/** Undefined if the database does not continue the previous publication, or its providers changed. */
async function planChanges(
  view: Transaction,
  { previous }: Planned,
  parts: readonly ObservationsPart[],
): Promise<Plan | undefined> {
  if (!previous) return undefined;
  const instant = Date.parse(previous.data.instant);
  const changes = await changesSince(view, { version: previous.data.version, instant });
  if (!changes) return undefined;
  const [changed, blended, days] = [new Set<ObservationsPart>(), new Set<number>(), [] as DayWindow[]];
  for (const change of changes) {
    const [from, to] = [dayNumber(change.from), dayNumber(change.to)];
    const providers = change.provider ? [change.provider] : await providersChanged(view, change, instant);
    for (const part of parts)
      if (part.from <= to && part.to >= from && providers.includes(part.provider)) changed.add(part);
    for (let year = yearOf(change.from); year <= yearOf(change.to); year++) blended.add(year);
    days.push({ from, to: to + WINDOW_DAYS });
  }
  const observations = [...changed];
  const revisions = await yearsOfRevisions(view, instant);
  const again = new Set([
    ...observations.map(({ name }) => name),
    ...[...blended].map((year) => `blended/${year}`),
    ...revisions.map((year) => `revisions/${year}`),
  ]);
  const kept = previous.files.filter(({ path }) => path.endsWith('.parquet') && !again.has(nameOf(path)));
  const names = new Set(parts.map(({ name }) => name));
  const stay = kept.filter(({ table }) => table === 'observations');
  const isWhole =
    stay.length + observations.length === parts.length && stay.every(({ path }) => names.has(nameOf(path)));
  return isWhole ? { kept, observations, blended: [...blended].sort(), revisions, days } : undefined;
}

export function yearOf(date: CalendarDate): number {
  return Number(date.slice(0, 4));
}
