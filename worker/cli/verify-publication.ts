import { readFile } from 'node:fs/promises';
import { ifMissingFile } from '../../core/process/missing-file.js';
import { replaceFile } from '../../core/process/replace-file.js';
import { type Checkpoint, checkpointOf } from '../../core/publication/checkpoint.js';
import { parseVerifierKey, parseVerifierKeys, type VerifierKey } from '../../core/publication/keys.js';
import { about } from '../../core/publication/publication-error.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import { MOST_KEYS_BYTES, verifyPublication } from '../../core/publication/verify-publication.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import { type Session, sayDone } from './session.js';

export interface PublicationOptions {
  key?: string[];
  state?: string;
  quick?: true;
}

/** Prints a line that begins with OK. Throws a PublicationError for the first thing that is wrong. */
export async function verifyPublished(
  session: Session,
  location: string,
  { key, state, quick }: PublicationOptions,
): Promise<void> {
  const { stopping, clock, progress, stdout } = session;
  const files = openPublicationFiles(location, { signal: stopping, proxies: session.config });
  try {
    const keys = key?.map(parseVerifierKey) ?? (await ownKeys(files));
    const remembered = state === undefined ? undefined : await readState(state);
    const options = {
      keys,
      remembered,
      now: clock(),
      quick: quick ?? false,
      stopping,
      onProgress: progress.show,
    };
    const { manifest, checkpoint, signers, note } = await verifyPublication(files, options);
    if (state !== undefined) await replaceFile(state, note);
    const { instant, version } = manifest.data;
    const by = signers.map(({ origin, id }) => `${origin}+${id}`).join(', ');
    const log = remembered ? `${remembered.size} → ${checkpoint.size}` : checkpoint.size;
    progress.stop();
    await printLines(stdout, [
      `OK: version ${version} of ${instant}, ${manifest.digest.day.rows} rates, log ${log}, signed by ${by}${key ? '' : ' (key not pinned)'}`,
    ]);
    sayDone(session, `verified ${location}`);
  } finally {
    await files.close();
  }
}

/** The keys that a publication claims as its own. */
async function ownKeys(files: PublicationFiles): Promise<VerifierKey[]> {
  const text = await files.read('keys.txt', { most: MOST_KEYS_BYTES });
  return about('keys.txt', () => parseVerifierKeys(text.toString()));
}

/** Undefined if the file does not exist yet. */
async function readState(file: string): Promise<Checkpoint | undefined> {
  const note = await readFile(file, 'utf8').catch(ifMissingFile);
  if (note === undefined) return undefined;
  try {
    return checkpointOf(note);
  } catch (cause) {
    throw new CommandFailed(`${file} holds no checkpoint: give the file of an earlier run, or a new one`, {
      cause,
    });
  }
}
