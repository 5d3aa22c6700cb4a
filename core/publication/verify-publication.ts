import { hash } from 'node:crypto';
import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import { fromDayNumber } from '../domain/dates.js';
import { groupBy } from '../domain/group-by.js';
import type { ShowProgress } from '../process/progress.js';
import { dayFile, dayPath, latestFile, publishedDays } from './day-files.js';
import { keysText, parseVerifierKeys } from './keys.js';
import { type LogLine, logPath, openNote, readLog } from './log.js';
import {
  CHECKPOINT,
  HOOK_DONE,
  hashInPath,
  laterPublications,
  type Manifest,
  type ManifestFile,
  MOST_BYTES,
  NEXT_CHECKPOINT,
  openPublication,
  PARTIAL,
  type Publication,
  pathsNamedBy,
  readCheckpoint,
  readExpected,
  readManifest,
  STAGED,
  type Trust,
} from './open-publication.js';
import { about, type Fault, ifMissing, ifRefused, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { checkBlended, checkTable, isTable, readBlended, readTableFile } from './read-tables.js';
import type { TableName, TableRows } from './tables.js';

export interface VerifyOptions extends Trust {
  /** Verifies only what the manifest refers to: not the days, the copies, the whole log and earlier publications. */
  quick?: boolean;
  stopping?: AbortSignal | undefined;
  onProgress?: ShowProgress | undefined;
}

export const MOST_KEYS_BYTES = 10_000;
const FILES_AT_ONCE = 16;

/** First what was signed, then its files, then all others. Throws a PublicationError for the first fault. */
export async function verifyPublication(
  files: PublicationFiles,
  { quick = false, stopping, onProgress, ...trust }: VerifyOptions,
): Promise<Publication> {
  const publication = await openPublication(files, trust);
  const { manifest } = publication;
  const blended: NamedSeries[] = [];
  const tables = manifest.files.filter(isTable);
  for (const [at, file] of tables.entries()) {
    stopping?.throwIfAborted();
    onProgress?.('tables', at, tables.length);
    await checkTable(files, file, blended);
  }
  const columns = columnsOf(blended);
  checkBlended(columns, manifest);
  const current: State = { publication, checks: checksOf(files, publication, columns) };
  const lists = manifest.files.filter((file) => !isTable(file)).map(({ path }) => path);
  const checked = quick ? lists : [...current.checks.keys()];
  for (let start = 0; start < checked.length; start += FILES_AT_ONCE) {
    stopping?.throwIfAborted();
    onProgress?.('days', start, checked.length);
    await checkInPlace(files, current, checked.slice(start, start + FILES_AT_ONCE), trust);
  }
  if (quick) return publication;
  onProgress?.('history', 0, 1);
  const lines = await verifyLog(files, publication, trust);
  const seen = lines.find((line) => line.hash === trust.remembered?.hash);
  const earlier = seen?.record.manifest ?? manifest.previous;
  if (earlier !== null) await verifyHistory(files, manifest, earlier);
  await verifyListed(files, current, trust, stopping);
  return publication;
}

/** Returns all signed records. Throws a PublicationError if they are no chain, or unsigned ones or checkpoints follow. */
async function verifyLog(
  files: PublicationFiles,
  { checkpoint }: Publication,
  { keys, now }: Trust,
): Promise<readonly LogLine[]> {
  const { lines, record, unsigned } = await readLog(files, checkpoint, { from: 0, now });
  const count = lines.length + unsigned;
  let { size } = checkpoint;
  for (const path of [NEXT_CHECKPOINT, CHECKPOINT])
    size = Math.max(size, (await readCheckpoint(files, path, keys))?.size ?? 0);
  if (count > size) {
    const path = logPath(record);
    throw new PublicationError('log', `has ${count} records, of which ${size} are signed`, { path });
  }
  return lines;
}

/** A signed state, and the check of each file that changes in place: it throws a PublicationError. */
interface State {
  publication: Publication;
  checks: ReadonlyMap<string, () => Promise<unknown>>;
}

/** Checks files that change in place. One that does not match its state may belong to a later one. */
async function checkInPlace(
  files: PublicationFiles,
  { publication, checks }: State,
  paths: readonly string[],
  trust: Trust,
): Promise<void> {
  const results = await Promise.allSettled(paths.map((path) => checks.get(path)?.()));
  let later: State[] | undefined;
  for (const [at, result] of results.entries()) {
    if (result.status === 'fulfilled') continue;
    later ??= await laterStates(files, publication, trust);
    const passing = later.map((state) =>
      state.checks
        .get(paths[at] ?? '')?.()
        .then(() => true, ifRefused),
    );
    const isLater = (await Promise.all(passing)).includes(true);
    if (!isLater || !(result.reason instanceof PublicationError)) throw result.reason;
  }
}

/** The states after one that are signed. Until its rates are available, a state has no checks. */
async function laterStates(files: PublicationFiles, before: Publication, trust: Trust): Promise<State[]> {
  const states: State[] = [];
  for (const publication of await laterPublications(files, before, trust)) {
    const rates = await readBlended(files, publication.manifest).catch(ifRefused);
    states.push({ publication, checks: rates ? checksOf(files, publication, rates) : new Map() });
  }
  return states;
}

function checksOf(files: PublicationFiles, publication: Publication, columns: Columns): State['checks'] {
  const { manifest, manifestBytes } = publication;
  const checks = new Map<string, () => Promise<unknown>>();
  const expect = (path: string, fault: Fault, contentOf: () => Buffer) =>
    checks.set(path, () => {
      const content = contentOf();
      const expected = { path, bytes: content.length, sha256: hash('sha256', content, 'hex') };
      return readExpected(files, expected, fault);
    });
  for (const file of manifest.files)
    if (!isTable(file)) checks.set(file.path, () => readExpected(files, file));
  for (const day of publishedDays(columns)) expect(dayPath(day), 'day', () => dayFile(columns, day));
  expect('manifest.json', 'copy', () => manifestBytes);
  expect('latest.json', 'copy', () => latestFile(columns, manifest));
  return checks.set('keys.txt', () => checkKeys(files, publication));
}

/** Checks that `keys.txt` has all keys that signed, known or unknown, one per line. */
async function checkKeys(files: PublicationFiles, { note, checkpoint, signers }: Publication): Promise<void> {
  const path = 'keys.txt';
  const text = (await files.read(path, { most: MOST_KEYS_BYTES })).toString();
  const signed = about(path, () => openNote(note, parseVerifierKeys(text)).signers);
  const signatures = note.split('\n').filter((line) => line.startsWith(`— ${checkpoint.origin} `));
  const hasKnown = signers.every((signer) => signed.some((key) => key.text === signer.text));
  if (signed.length !== signatures.length || keysText(signed) !== text || !hasKnown) {
    throw new PublicationError('copy', 'does not have the keys that signed', { path });
  }
}

const OF_PUBLISHER = [`${STAGED}/`, `${PARTIAL}/`];

/**
 * If files can be listed, verifies that a record, a manifest or a day of the rates refers to each, and that
 * older files have the hash in their name. Verify the log first. Throws a PublicationError: `unnamed` or
 * `hash`.
 */
async function verifyListed(
  files: PublicationFiles,
  current: State,
  trust: Trust,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const listed =
    (await files.list?.())?.filter((path) => !OF_PUBLISHER.some((folder) => path.startsWith(folder))) ?? [];
  const names = new Set(await namesOf(files, current, trust.now));
  const unnamed = listed.filter((path) => !names.has(path));
  if (unnamed.length > 0) {
    // Files that arrived meanwhile are already signed: manifests come first, then data, then days.
    for (const state of await laterStates(files, current.publication, trust))
      for (const name of (await namesOf(files, state, trust.now).catch(ifRefused)) ?? []) names.add(name);
    // They may have been deleted meanwhile.
    const isLeft = new Set(await files.list?.());
    const path = unnamed.find((one) => !names.has(one) && isLeft.has(one));
    if (path !== undefined) throw new PublicationError('unnamed', 'nothing signed refers to it', { path });
  }
  const verified = new Set(current.publication.manifest.files.map(({ path }) => path));
  for (const path of listed) {
    stopping?.throwIfAborted();
    const digits = hashInPath(path);
    if (digits === undefined || verified.has(path)) continue;
    const bytes = await files.read(path, { most: MOST_BYTES }).catch(ifMissing);
    if (bytes && !hash('sha256', bytes).startsWith(digits))
      throw new PublicationError('hash', 'has another hash than its name says', { path });
  }
}

/** The paths of a publication, of its log, and of earlier manifests that still exist. */
async function namesOf(files: PublicationFiles, state: State, now: Date): Promise<string[]> {
  const { lines } = await readLog(files, state.publication.checkpoint, { from: 0, now });
  const records = lines.map(({ record }) => record);
  const named = await pathsNamedBy(files, records);
  return [CHECKPOINT, NEXT_CHECKPOINT, HOOK_DONE, ...state.checks.keys(), ...records.map(logPath), ...named];
}

/**
 * Each published rate and side of an earlier manifest (by hash) must still exist, or a revision have its old value.
 * Compares nothing if that publication is gone, as after a week, or has a newer data version, as after a
 * restore of the database. Skips sources that are left out. Throws a PublicationError `revision`.
 */
async function verifyHistory(
  files: PublicationFiles,
  { files: listed, data }: Manifest,
  earlier: string,
): Promise<void> {
  // Files that were deleted a week after they were replaced can't be compared.
  const before = (await readManifest(files, earlier).catch(ifMissing))?.manifest;
  if (!before || before.data.version > data.version) return;
  const only = (of: readonly ManifestFile[], others: readonly ManifestFile[], table: TableName) =>
    of.filter((file) => file.table === table && !others.some(({ path }) => path === file.path));
  const replaced = only(before.files, listed, 'observations');
  if (replaced.length === 0) return;
  const revised = new Set<string>();
  for (const file of only(listed, before.files, 'revisions'))
    for (const { name, value } of await readFigures(files, file)) revised.add(`${name} ${value}`);
  const replacing = groupBy(only(listed, before.files, 'observations'), folderOf);
  const left = new Set(listed.map(folderOf));
  for (const [folder, ofProvider] of groupBy(replaced, folderOf)) {
    if (!left.has(folder)) continue;
    const now = new Map<string, number>();
    for (const file of replacing.get(folder) ?? [])
      for (const { name, value } of await readFigures(files, file)) now.set(name, value);
    for (const file of ofProvider) {
      const rates = await readFigures(files, file).catch(ifMissing);
      for (const { name, value: was } of rates ?? []) {
        if (now.get(name) === was || revised.has(`${name} ${was}`)) continue;
        const found = now.has(name) ? `is now ${now.get(name)}` : 'is gone';
        const figure = name.slice(name.indexOf(' ') + 1);
        const detail = `${figure}, ${was} before, ${found}, and no revision says so`;
        throw new PublicationError('revision', detail, { path: file.path });
      }
    }
  }
}

/** The rates and sides of a table, or those that were replaced: `ECB 2026-03-17 EUR/USD`, or `ECB 2026-03-17 EUR/USD buy`. */
async function readFigures(
  files: PublicationFiles,
  file: ManifestFile,
): Promise<{ name: string; value: number }[]> {
  const figures: { name: string; value: number }[] = [];
  const groups: AsyncIterable<TableRows<'observations'> | TableRows<'revisions'>> =
    file.table === 'revisions'
      ? readTableFile(files, 'revisions', file)
      : readTableFile(files, 'observations', file);
  for await (const rows of groups) {
    const { rate, buy, sell } =
      'was' in rows ? { rate: rows.was, buy: rows.buy_was, sell: rows.sell_was } : rows;
    for (const [side, values] of [
      ['', rate],
      [' buy', buy],
      [' sell', sell],
    ] as const)
      values?.forEach((value, at) => {
        const pair = `${rows.base[at]}/${rows.quote[at]}${side}`;
        const name = `${rows.provider[at]} ${fromDayNumber(rows.date[at] ?? 0)} ${pair}`;
        if (!Number.isNaN(value)) figures.push({ name, value });
      });
  }
  return figures;
}

/** Such as `observations/ECB`. */
function folderOf({ path }: ManifestFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}
