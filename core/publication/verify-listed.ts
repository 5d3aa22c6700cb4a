import { hash } from 'node:crypto';
import type { Columns } from '../columns/columns.js';
import { dayPath, publishedDays } from './day-files.js';
import { logPath, readLog } from './log.js';
import { HASHED_FOLDERS, hashInPath, MOST_BYTES } from './manifest.js';
import {
  CHECKPOINT,
  laterPublications,
  manifestPath,
  NEXT_CHECKPOINT,
  type Publication,
  pathsNamedBy,
  type Trust,
} from './open-publication.js';
import { ifMissing, ifRefused, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readBlended } from './verify-tables.js';

/** In these folders a publisher prepares files before it moves or deletes them. */
export const [STAGED, PARTIAL] = ['.next', '.partial'] as const;
const OF_PUBLISHER = /^\.(next|partial)\//;
/** The number of records when the publisher's hook last succeeded. */
export const HOOK_DONE = '.hook';

const AT_THE_TOP = [CHECKPOINT, NEXT_CHECKPOINT, 'manifest.json', 'latest.json', 'keys.txt', HOOK_DONE];

interface Listing {
  states: States;
  now: Date;
  stopping: AbortSignal | undefined;
}

/**
 * If files can be listed, verifies that a record, a manifest or a day of the rates refers to each, and that
 * older files have the hash in their name. Verify the log first. Throws a PublicationError: `unnamed` or
 * `hash`.
 */
export async function verifyListed(
  files: PublicationFiles,
  current: Publication,
  { stopping, ...given }: Listing,
): Promise<void> {
  const listed = await files.list?.();
  if (!listed) return;
  await checkNamed(files, current, listed, given);
  const { record, manifest } = current;
  const verified = new Set([manifestPath(record.manifest), ...manifest.files.map(({ path }) => path)]);
  for (const path of listed) {
    stopping?.throwIfAborted();
    const [folder = ''] = path.split('/');
    if (HASHED_FOLDERS.includes(folder) && !verified.has(path)) await checkHash(files, path);
  }
}

async function checkNamed(
  files: PublicationFiles,
  current: Publication,
  listed: readonly string[],
  { states, now }: Omit<Listing, 'stopping'>,
): Promise<void> {
  const namesOf = (publication: Publication) => readNames(files, publication, now);
  const names = new Set([...(await namesOf(current)), ...(await daysOf(current, states))]);
  const unnamed = listed.filter((path) => !names.has(path) && !OF_PUBLISHER.test(path));
  if (unnamed.length === 0) return;
  // Files that arrived meanwhile are already signed: manifests come first, then data, then days.
  for (const later of await states.later()) {
    for (const name of (await namesOf(later).catch(ifRefused)) ?? []) names.add(name);
    for (const name of (await daysOf(later, states).catch(ifRefused)) ?? []) names.add(name);
  }
  // They may have been deleted meanwhile.
  const isLeft = new Set(await files.list?.());
  const path = unnamed.find((one) => !names.has(one) && isLeft.has(one));
  if (path !== undefined) throw new PublicationError('unnamed', 'nothing signed refers to it', { path });
}

/** The paths of a publication, its log and earlier manifests that still exist, without its days. */
async function readNames(files: PublicationFiles, { checkpoint }: Publication, now: Date): Promise<string[]> {
  const records = (await readLog(files, checkpoint, { from: 0, now })).lines.map(({ record }) => record);
  return [...AT_THE_TOP, ...records.map(logPath), ...(await pathsNamedBy(files, records))];
}

async function daysOf(publication: Publication, states: States): Promise<string[]> {
  return publishedDays(await states.blendedOf(publication)).map(dayPath);
}

async function checkHash(files: PublicationFiles, path: string): Promise<void> {
  const digits = hashInPath(path);
  if (digits === undefined) return;
  // It may have been deleted meanwhile.
  const bytes = await files.read(path, { most: MOST_BYTES }).catch(ifMissing);
  if (bytes && !hash('sha256', bytes).startsWith(digits))
    throw new PublicationError('hash', 'has another hash than its name says', { path });
}

export type States = ReturnType<typeof createStates>;

/** Later states are only read when a file does not match the verified one. */
export function createStates(files: PublicationFiles, current: Publication, columns: Columns, trust: Trust) {
  const blended = new Map([[current.record.manifest, Promise.resolve(columns)]]);
  const later = () => laterPublications(files, current, trust);
  return {
    /** The states after the verified one that are signed and available. */
    later,
    async anyOf(check: (state: Publication) => Promise<unknown>): Promise<void> {
      try {
        await check(current);
      } catch (fault) {
        if (!(fault instanceof PublicationError)) throw fault;
        for (const state of await later()) {
          const passes = await check(state).then(() => true, ifRefused);
          if (passes) return;
        }
        throw fault;
      }
    },
    blendedOf({ record, manifest }: Publication): Promise<Columns> {
      const read = blended.get(record.manifest) ?? readBlended(files, manifest);
      blended.set(record.manifest, read);
      return read;
    },
  };
}
