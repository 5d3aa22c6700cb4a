import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { makeSigningKey, parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import { keyFilePath, readKeyFile, writeKeyFile } from '../publish/key-file.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import { type Run, type Session, say } from './session.js';

const MAKE_EXAMPLE = `
Prints the private key for PUBLISH_KEY, then the public key that readers need. Stores nothing. The origin names the
publication: an address without https://, such as the one where it can be had.

Example:
  npm run --silent cli -- keys make rates.example.org/almanac`;

const ROTATE_EXAMPLE = `
Makes a new key for the same origin. While both sign, readers who know either one believe the publication: give them the
new public key, and after 90 days take the old private key out. Where PUBLISH_KEY is set, its new value is printed,
then the public keys; else the key file in DATA_DIR is rewritten, and the public keys are printed.

After a theft this does not help: make a key for another origin.`;

/** `keys make` and `keys rotate`. */
export function addKeys(program: Command, run: Run): void {
  const keys = program.command('keys').description('the keys that sign a publication');
  addMakeKey(keys, run, 'make');
  keys
    .command('rotate')
    .description('exchange the key that signs: for a while the old one and a new one both do')
    .addHelpText('after', ROTATE_EXAMPLE)
    .action(() => run(rotateKeys));
}

/** The command that generates a key: `keys make`, also available as `publish keygen`. */
export function addMakeKey(parent: Command, run: Run, name: 'make' | 'keygen'): void {
  parent
    .command(name)
    .description('make a key that signs a publication')
    .argument('<origin>', 'the name of the publication, such as rates.example.org/almanac', originArgument)
    .addHelpText('after', MAKE_EXAMPLE)
    .action((key: SigningKey) => run(({ stdout }) => printLines(stdout, [key.text, key.verifier.text])));
}

function originArgument(origin: string): SigningKey {
  try {
    return makeSigningKey(origin);
  } catch (error) {
    throw error instanceof PublicationError ? new InvalidArgumentError(error.message) : error;
  }
}

async function rotateKeys(session: Session): Promise<void> {
  const { stdout, config } = session;
  const folder = resolve(config.DATA_DIR);
  const keys =
    config.PUBLISH_KEY === undefined ? await readKeyFile(folder) : parseSigningKeys(config.PUBLISH_KEY);
  const old = keys?.at(-1);
  if (!old)
    throw new CommandFailed('no key to exchange: PUBLISH_KEY is not set, and DATA_DIR has no publish.key');
  const both = [old, makeSigningKey(old.origin)];
  if (config.PUBLISH_KEY === undefined) {
    await writeKeyFile(folder, both);
    say(session, `${keyFilePath(folder)} has both private keys`);
  } else {
    await printLines(stdout, [both.map(({ text }) => text).join(',')]);
  }
  await printLines(
    stdout,
    both.map(({ verifier }) => verifier.text),
  );
}
