import { readFile, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { verify } from '../../core/domain/receipt/verify.js';
import { plainDecimal, roundForStorage } from '../../core/domain/rounding.js';
import { ifMissingFile, replaceFile } from '../../core/process/replace-file.js';
import { parseVerifierKey, parseVerifierKeys, type VerifierKey } from '../../core/publication/keys.js';
import { type Checkpoint, checkpointOf } from '../../core/publication/log.js';
import { about } from '../../core/publication/publication-error.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import { MOST_KEYS_BYTES, verifyPublication } from '../../core/publication/verify-publication.js';
import { pathArgument } from './arguments.js';
import { CommandFailed, printLines, type Session, sayDone } from './session.js';

interface PublicationOptions {
  key?: string[];
  state?: string;
  quick?: true;
}

export const help = `
Needs no database. Prints one line and exits with 0, or prints the first thing that is wrong and exits with 1.

A receipt is the JSON file of a response, or of the receipt alone, - for standard input. Its rate is computed again from the
rows that it names.

A publication is a folder or a URL. It is verified by its signature, its age and its place in the log, then each file that
was signed and the rates in it, then every other file. The key is in the operator's documents, or in GET /v2/publication of
the live API. Without --key it is taken from the publication itself, which anybody may then have made. FILE keeps the newest
signed checkpoint of the log: if you verify again with it, you notice a log that was shortened or replaced.

Examples:
  curl -s 'http://localhost:8080/v2/rate/EUR/USD?expand=receipt' | npm run --silent cli -- verify -
  npm run --silent cli -- verify ./publication --quick
  npm run --silent cli -- verify https://rates.example.org/almanac --state almanac.checkpoint \\
    --key rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea`;

export function define(command: Command, session: Session): void {
  command
    .argument('<what>', "a receipt's file, or a publication's folder or URL", locationArgument)
    .option('--key <key>', 'a public key that may have signed the publication; can be repeated', collect)
    .option('--state <file>', 'where the newest checkpoint is kept from one time to the next')
    .option('--quick', 'only what the manifest names: not the days, the copies and the whole log')
    .action(verifyWhat.bind(null, session));
}

async function verifyWhat(session: Session, what: string, options: PublicationOptions): Promise<void> {
  if (!(await isFile(what))) return verifyPublished(session, what, options);
  if (Object.keys(options).length > 0)
    throw new CommandFailed('--key, --state and --quick are for a publication, and this is a file');
  return verifyReceipt(session, what);
}

/** A path, or a URL with a host. */
function locationArgument(text: string): string {
  if (/^https?:/.test(text) && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw new InvalidArgumentError('Expected a URL with a host, such as https://rates.example.org/almanac.');
  return pathArgument(text);
}

/** Parsed later, because the error of a refused argument would show it, and it may be a private key. */
function collect(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

async function isFile(what: string): Promise<boolean> {
  if (/^https?:/.test(what)) return false;
  return what === '-' || (await stat(what)).isFile();
}

async function verifyReceipt(session: Session, file: string): Promise<void> {
  const verdict = verify(await (file === '-' ? text(session.stdin) : readFile(file, 'utf8')));
  if ('wrong' in verdict) throw new CommandFailed(verdict.wrong);
  const { base, quote, date, rate } = verdict;
  await printLines(session.stdout, [
    `${base}/${quote} ${date} ${plainDecimal(roundForStorage(rate))}: the receipt is correct`,
  ]);
}

/** Prints a line that begins with OK. Throws a PublicationError for the first thing that is wrong. */
async function verifyPublished(
  session: Session,
  location: string,
  { key, state, quick }: PublicationOptions,
): Promise<void> {
  const { stopping, clock, config, closings, progress, stdout } = session;
  const files = openPublicationFiles(location, { signal: stopping, proxies: config });
  closings.push(() => files.close());
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
}

/** The keys that a publication claims as its own. */
async function ownKeys(files: PublicationFiles): Promise<VerifierKey[]> {
  const text = await files.read('keys.txt', { most: MOST_KEYS_BYTES });
  return about('keys.txt', () => parseVerifierKeys(text.toString()));
}

/** Undefined if the file does not exist yet. */
async function readState(file: string): Promise<Checkpoint | undefined> {
  const note = await readFile(file, 'utf8').catch(ifMissingFile);
  return note === undefined ? undefined : about(file, () => checkpointOf(note));
}
