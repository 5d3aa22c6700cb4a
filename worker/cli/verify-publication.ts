import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ifMissingFile } from '../../core/process/missing-file.js';
import { replaceFile } from '../../core/process/replace-file.js';
import { type Checkpoint, checkpointOf } from '../../core/publication/checkpoint.js';
import { parseVerifierKey, parseVerifierKeys, type VerifierKey } from '../../core/publication/keys.js';
import { about } from '../../core/publication/publication-error.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import { MOST_KEYS_BYTES, verifyPublication } from '../../core/publication/verify-publication.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import type { Run, Session } from './session.js';

const EXAMPLES = `
Reads a folder, or what a server has below a URL; needs no database. Checks the signature, its age and its place in the log,
then each file that was signed and the rates in it, then every other file. Prints one line that begins with OK and exits
with 0, or says the first thing that is wrong and exits with 1.

The key is that of the operator's documents, or of the live API's GET /v2/publication. Without --key it is taken from the
publication itself, which then may be anybody's. FILE keeps the log's newest signed checkpoint: who verifies again with it
notices when the log was shortened or replaced.

Examples:
  npm run --silent cli -- verify-publication https://rates.example.org/almanac --state almanac.checkpoint \\
    --key rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea
  npm run --silent cli -- verify-publication ./publication --quick`;

interface Options {
  key?: string[];
  state?: string;
  quick?: true;
}

export function addVerifyPublication(program: Command, run: Run): void {
  program
    .command('verify-publication')
    .description('verify published files: who signed them, and that all of them are as they were signed')
    .argument('<location>', 'a folder, or an http:// or https:// URL')
    .option('--key <key>', 'a public key that is believed; may be given several times', collect)
    .option('--state <file>', 'where the newest checkpoint is kept from one time to the next')
    .option('--quick', 'only what the manifest names: not the days, the copies and the whole log')
    .addHelpText('after', EXAMPLES)
    .action((location: string, options: Options) => run((session) => verify(session, location, options)));
}

/**
 * Keys are parsed later, because the error of a refused argument would show the whole argument, which may be a private key.
 */
function collect(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

async function verify(session: Session, location: string, { key, state, quick }: Options): Promise<void> {
  const { stopping, clock, stdout } = session;
  const files = openPublicationFiles(location, { signal: stopping });
  try {
    const keys = key?.map(parseVerifierKey) ?? (await ownKeys(files));
    const remembered = state === undefined ? undefined : await readState(state);
    const options = { keys, remembered, now: clock(), quick: quick ?? false, stopping };
    const { manifest, checkpoint, signers, note } = await verifyPublication(files, options);
    if (state !== undefined) await replaceFile(state, note);
    const { instant, version } = manifest.data;
    const by = signers.map(({ origin, id }) => `${origin}+${id}`).join(', ');
    const log = remembered ? `${remembered.size} → ${checkpoint.size}` : checkpoint.size;
    await printLines(stdout, [
      `OK: version ${version} of ${instant}, ${manifest.digest.day.rows} rates, log ${log}, signed by ${by}${key ? '' : ' (key not pinned)'}`,
    ]);
  } finally {
    await files.close();
  }
}

/** The keys that a publication claims as its own. */
async function ownKeys(files: PublicationFiles): Promise<VerifierKey[]> {
  const text = await files.read('keys.txt', { most: MOST_KEYS_BYTES });
  return about('keys.txt', () => parseVerifierKeys(text.toString()));
}

/** The last verified checkpoint; undefined if the file does not exist yet. */
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
