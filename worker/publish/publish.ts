import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Database } from '../../core/database/database.js';
import { LOCKS, whileLocked } from '../../core/database/locks.js';
import { MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { ifMissingFile, makeFolder } from '../../core/process/replace-file.js';
import { keysText } from '../../core/publication/keys.js';
import { type LogRecord, makeRecord } from '../../core/publication/log.js';
import { HOOK_DONE, readManifest } from '../../core/publication/open-publication.js';
import { ifRefused } from '../../core/publication/publication-error.js';
import { openFolder } from './folder.js';
import {
  endOf,
  type OwnLog,
  openOwnLog,
  PublishError,
  type Publisher,
  pruneSuperseded,
  publishRecord,
} from './own-log.js';
import type { PublishOptions } from './settings.js';
import { stageChanges } from './stage-changes.js';

export interface Published {
  /** `signed again`: nothing was new, and the last record was a day old. `nothing new` also if there are no rates. */
  state: 'published' | 'signed again' | 'nothing new' | 'too early';
  record: LogRecord | undefined;
  /** The number of records. */
  size: number;
  /** What was written, without files that were already equal. */
  files: number;
  bytes: number;
}

/**
 * Publishes what is new, and at least a record a day. Only one publisher works at a time. Throws a
 * PublishError if the folder does not continue what was signed, a PublicationError if its log can't be used,
 * and the errors of the database and the disk.
 */
export async function publish(database: Database, options: PublishOptions): Promise<Published> {
  const { keys, log, hook, stopping } = options;
  const [key] = keys;
  if (!key) throw new PublishError('there is no key to sign with');
  const path = resolve(options.folder);
  await makeFolder(path);
  return whileLocked(database, LOCKS.publication, async () => {
    const started = performance.now();
    const folder = openFolder(path, options.disk);
    const verifiers = keys.map(({ verifier }) => verifier);
    const publisher = { ...options, database, folder, origin: key.origin, verifiers };
    const published = await publishNews(publisher, await openOwnLog(publisher));
    const { state, record, size, ...written } = published;
    const ms = Math.round(performance.now() - started);
    if (state === 'published' || state === 'signed again')
      log.info({ version: record?.version, records: size, ...written, ms }, state);
    if (hook !== undefined && size > 0) await runHookOnce(hook, { folder: path, size, log, stopping });
    return published;
  });
}

async function publishNews(publisher: Publisher, log: OwnLog & { isCopied: boolean }): Promise<Published> {
  const { folder, verifiers, now, everyMs = 0 } = publisher;
  const { record: last } = log;
  const end = endOf(log);
  const age = last ? now.getTime() - Date.parse(last.instant) : Number.POSITIVE_INFINITY;
  const isUnchanged = { record: last, size: end.index, files: 0, bytes: 0 };
  if (age < everyMs && !log.isCopied) return { state: 'too early', ...isUnchanged };

  // Without the manifest of the newest record, everything is published again.
  const known = last && !log.isCopied && (await readManifest(folder, last.manifest).catch(ifRefused));
  const before = { hash: last?.manifest ?? null, manifest: known ? known.manifest : undefined };
  const news = await stageChanges(publisher, before);
  const publicKeys = Buffer.from(keysText(verifiers));
  const areKeysNew = await folder.stage('keys.txt', publicKeys);
  const isDue = areKeysNew || age >= MILLISECONDS_PER_DAY;
  const newest = news ?? last;
  if (!newest || !(news || isDue)) {
    await folder.discard();
    return { state: 'nothing new', ...isUnchanged };
  }
  const { manifest, version } = newest;
  const record = makeRecord({ ...end, manifest, now, version });
  await publishRecord(publisher, record);
  await Promise.all((news?.obsolete ?? []).map((path) => folder.remove(path)));
  if (last && last.instant.slice(0, 10) !== record.instant.slice(0, 10)) await pruneSuperseded(folder, now);
  return { state: news ? 'published' : 'signed again', record, size: end.index + 1, ...folder.written };
}

const LIMIT_MS = 600_000;

/**
 * Runs the operator's command with the shell, in the folder of the publication, unless it has already
 * succeeded for the newest record. A failure is logged, and the command runs again the next time.
 */
export async function runHookOnce(
  command: string,
  { folder, size, log, stopping }: Pick<PublishOptions, 'folder' | 'log' | 'stopping'> & { size: number },
): Promise<void> {
  const done = join(folder, HOOK_DONE);
  if ((await readFile(done, 'utf8').catch(ifMissingFile)) === String(size)) return;
  const started = performance.now();
  try {
    await run(command, folder, stopping);
    await writeFile(done, String(size));
    log.info({ ms: Math.round(performance.now() - started) }, 'PUBLISH_HOOK has run');
  } catch (error) {
    log.error({ reason: reasonOf(error) }, 'PUBLISH_HOOK failed; retrying after the next publication');
  }
}

/** Sends its output to standard error, because commands print their data to standard output. */
async function run(command: string, folder: string, stopping: AbortSignal | undefined): Promise<void> {
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    stdio: ['ignore', 2, 2],
    signal: stopping,
    timeout: LIMIT_MS,
  });
  const [code, killedBy] = await once(child, 'exit');
  if (code !== 0) throw new Error(code === null ? `it was killed by ${killedBy}` : `exit code ${code}`);
}
