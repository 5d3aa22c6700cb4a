import { hash } from 'node:crypto';
import type { Columns } from '../../core/columns/columns.js';
import { digestOf } from '../../core/columns/digest.js';
import { blendedPeriods } from '../../core/columns/means.js';
import { areBlendsOutdated, BlendsOutdated } from '../../core/database/blend-method.js';
import { liftTimeLimits } from '../../core/database/bulk/copy-out.js';
import { type Coverage, readCoverage, readCurrencies } from '../../core/database/coverage.js';
import { newestVersion } from '../../core/database/data-versions.js';
import { readProviderStates } from '../../core/database/providers.js';
import { readReadingPlan } from '../../core/database/reading-plan.js';
import { requireAllLoaded } from '../../core/database/shipped-rates.js';
import { type LeftOut, readLeftOut } from '../../core/database/suspects.js';
import { inOneView, type Transaction } from '../../core/database/transactions.js';
import { currencies as facts } from '../../core/domain/currencies.js';
import { type DateRange, type DayWindow, fromDayNumber, unionOf } from '../../core/domain/dates.js';
import { providers } from '../../core/domain/providers.js';
import { softwareVersion } from '../../core/process/project-files.js';
import { dayFile, dayPath, latestFile, publishedDays } from '../../core/publication/day-files.js';
import type { LogRecord } from '../../core/publication/log.js';
import {
  hashInPath,
  type Manifest,
  type ManifestFile,
  manifestBytes,
  manifestPath,
  readExpected,
} from '../../core/publication/open-publication.js';
import { canonicalBytes, PublicationError } from '../../core/publication/publication-error.js';
import type { PublishedCurrencies, PublishedProviders } from '../../core/publication/published-lists.js';
import type { Folder } from './folder.js';
import type { Publisher } from './own-log.js';
import { planPublication, readBlended, stageListed, writeTables } from './write-data.js';

export interface ChangeSet extends Pick<LogRecord, 'manifest' | 'version'> {
  /** Files of days that are no longer published, to remove once the manifest is signed. */
  obsolete: readonly string[];
}

/** The previous publication: the hash of its manifest, and the manifest itself if it can be read and continued. */
interface Before {
  hash: string | null;
  manifest: Manifest | undefined;
}

/** Stages changed data, and the files that change in place. Undefined if nothing is new, or there are no rates. */
export async function stageChanges(publisher: Publisher, before: Before): Promise<ChangeSet | undefined> {
  const stage = (known: Before) =>
    inOneView(publisher.database, (view) => stageSince(view, publisher, known));
  try {
    return await stage(before);
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    publisher.log.warn({ reason: error.message }, 'a published file is damaged; publishing all files again');
    await publisher.folder.discard();
    await removeDamaged(publisher, before.manifest?.files ?? []);
    return stage({ ...before, manifest: undefined });
  }
}

/** Removes tables that differ from what was signed, to write them again, under another name if their rows changed. */
async function removeDamaged({ folder }: Publisher, listed: readonly ManifestFile[]): Promise<void> {
  for (const file of listed.filter(({ path }) => hashInPath(path) !== undefined)) {
    try {
      await readExpected(folder, file);
    } catch (error) {
      // A file that is unavailable right now may be intact.
      if (!(error instanceof PublicationError) || error.fault === 'unavailable') throw error;
      await folder.remove(file.path);
    }
  }
}

async function stageSince(
  view: Transaction,
  publisher: Publisher,
  before: Before,
): Promise<ChangeSet | undefined> {
  const { folder, origin, omit = [], api } = publisher;
  await liftTimeLimits(view);
  if (await areBlendsOutdated(view)) throw new BlendsOutdated();
  await requireAllLoaded(view);
  const newest = await newestVersion(view);
  if (!newest) return undefined;
  const all = await readCoverage(view);
  const coverage = new Map([...all].filter(([provider]) => !omit.includes(provider)));
  const previous = before.manifest?.software === softwareVersion ? before.manifest : undefined;
  const plan = await planPublication(view, { newest, coverage, previous });
  await checkKept(folder, plan.kept);
  if (plan.days && previous?.data.version === Number(newest.version) && previous.api === (api ?? null))
    return undefined;

  const blended = await readBlended(view, folder, plan);
  const tables = await writeTables(view, publisher, plan, blended);
  const [currencies, sources] = [await listCurrencies(view), await listProviders(view, all)];
  const lists = [
    await stageListed(folder, { table: 'currencies', rows: currencies.length }, canonicalBytes(currencies)),
    await stageListed(
      folder,
      { table: 'providers', rows: sources.providers.length },
      canonicalBytes(sources),
    ),
  ];
  const obsolete = await stageDays(publisher, blended, plan.days);
  const data = { instant: new Date(newest.createdAt).toISOString(), version: Number(newest.version) };
  await folder.stage('latest.json', latestFile(blended, { data }));
  const manifest = await stageManifest(folder, {
    api: api ?? null,
    data,
    digest: digestOf(blendedPeriods(blended)),
    files: [...plan.kept, ...tables, ...lists].sort((one, other) => (one.path < other.path ? -1 : 1)),
    method: newest.method,
    origin,
    previous: before.hash,
    software: softwareVersion,
  });
  return { manifest, version: data.version, obsolete };
}

/** Stages the manifest under its hash, and as the newest one. Returns the hash. */
async function stageManifest(folder: Folder, content: Omit<Manifest, 'format'>): Promise<string> {
  const bytes = manifestBytes(content);
  const sha256 = hash('sha256', bytes, 'hex');
  await folder.stage(manifestPath(sha256), bytes);
  await folder.stage('manifest.json', bytes);
  return sha256;
}

/** Throws a PublicationError if a file is missing or has another size. */
async function checkKept(folder: Folder, kept: readonly ManifestFile[]): Promise<void> {
  for (const { path, bytes } of kept) {
    const size = await folder.sizeOf(path);
    if (size === undefined) throw new PublicationError('missing', 'is not there', { path });
    if (size !== bytes) throw new PublicationError('size', `has ${size} bytes instead of ${bytes}`, { path });
  }
}

/** Disks write many files in hardly more time than one. */
const DAYS_AT_ONCE = 64;

/**
 * Stages the files of days whose rates may have changed, and of days without a file. Returns the files of
 * days that are no longer published, such as a newest day whose only rate is now held back.
 */
async function stageDays(
  { folder, onProgress }: Publisher,
  blended: Columns,
  changed: readonly DayWindow[] | undefined,
): Promise<string[]> {
  const there = new Set(await folder.list('day'));
  const isWanted = (day: number) =>
    changed?.some(({ from, to }) => day >= from && day <= to) !== false || !there.has(dayPath(day));
  const days = publishedDays(blended);
  const wanted = days.filter(isWanted);
  for (let start = 0; start < wanted.length; start += DAYS_AT_ONCE) {
    onProgress?.('days', start, wanted.length);
    const staging = wanted.slice(start, start + DAYS_AT_ONCE);
    await Promise.all(staging.map((day) => folder.stage(dayPath(day), dayFile(blended, day))));
  }
  const published = new Set(days.map(dayPath));
  return [...there].filter((path) => !published.has(path));
}

async function listCurrencies(view: Transaction): Promise<PublishedCurrencies> {
  const spans = await readCurrencies(view);
  return [...facts.values()].flatMap(({ iso_code, iso_numeric, name, symbol }) => {
    const span = spans.get(iso_code);
    return span ? [{ iso_code, iso_numeric, name, symbol, start_date: span.from, end_date: span.to }] : [];
  });
}

async function listProviders(view: Transaction, coverage: Coverage): Promise<PublishedProviders> {
  const states = await readProviderStates(view);
  const plan = await readReadingPlan(view);
  const leftOut = await readLeftOut(view, {});
  const iso = (instant: Date | null | undefined) => instant?.toISOString() ?? null;
  return {
    providers: providers.map((provider): PublishedProviders['providers'][number] => {
      const spans = coverage.get(provider.key) ?? new Map<string, DateRange>();
      const whole = unionOf(spans.values());
      const state = states.get(provider.key);
      return {
        ...provider,
        start_date: whole?.from ?? null,
        end_date: whole?.to ?? null,
        last_attempt_at: iso(state?.lastAttemptAt),
        last_success_at: iso(state?.lastSuccessAt),
        last_error: state?.lastError ?? null,
        newest_read_at: iso(state?.newestReadAt),
        currencies: Object.fromEntries(
          [...spans].map(([code, { from, to }]) => [code, to === whole?.to ? [from] : [from, to]]),
        ),
        left_out: reasonsOf(leftOut.filter(({ provider: key }) => key === provider.key)),
      };
    }),
    reading: plan && {
      sources: plan.sources,
      since: plan.since.toISOString(),
    },
  };
}

function reasonsOf(leftOut: readonly LeftOut[]): PublishedProviders['providers'][number]['left_out'] {
  const reasons: PublishedProviders['providers'][number]['left_out'] = {};
  for (const { reason, base, quote, day } of [...leftOut].sort((one, other) => one.day - other.day)) {
    reasons[reason] ??= {};
    reasons[reason][`${base}/${quote}`] ??= [];
    reasons[reason][`${base}/${quote}`]?.push(fromDayNumber(day));
  }
  return reasons;
}
