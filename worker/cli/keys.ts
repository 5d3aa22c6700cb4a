import { Argument, type Command, InvalidArgumentError } from 'commander';
import { dataFolder } from '../../core/process/config.js';
import { makeSigningKey, parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import { keyFilePath, readKeyFile, writeKeyFile } from '../publish/settings.js';
import { CommandFailed, printLines, type Session, say } from './session.js';

export const help = `
"make" prints the private key for PUBLISH_KEY, then the public key that readers need. It stores nothing. The origin names the
publication: its address without https://, for example.

"rotate" makes a second key for the same origin. While both sign, readers who know either one accept the publication: give
them the new public key, and remove the old private key after 90 days. If PUBLISH_KEY is set, its new value is printed, then
the public keys; otherwise the key file in DATA_DIR is rewritten, and the public keys are printed. After a theft this does
not help: make a key for another origin.`;

export function define(command: Command, session: Session): void {
  command
    .addArgument(new Argument('<act>').choices(['make', 'rotate']))
    .argument('[origin]', 'for "make": the name of the publication, such as rates.example.org/almanac', keyOf)
    .action((act: 'make' | 'rotate', key: SigningKey | undefined) => {
      if ((act === 'make') !== (key !== undefined))
        command.error('error: "make" takes an origin, "rotate" none');
      if (!key) return rotateKeys(session);
      return printLines(session.stdout, [key.text, key.verifier.text]);
    });
}

function keyOf(origin: string): SigningKey {
  try {
    return makeSigningKey(origin);
  } catch (error) {
    throw error instanceof PublicationError ? new InvalidArgumentError(error.message) : error;
  }
}

async function rotateKeys(session: Session): Promise<void> {
  const { stdout, config } = session;
  const folder = dataFolder(config);
  const keys =
    config.PUBLISH_KEY === undefined ? await readKeyFile(folder) : parseSigningKeys(config.PUBLISH_KEY);
  const old = keys?.at(-1);
  if (!old)
    throw new CommandFailed('no key to rotate: PUBLISH_KEY is not set, and DATA_DIR has no publish.key');
  const both = [old, makeSigningKey(old.origin)];
  const publicKeys = both.map(({ verifier }) => verifier.text);
  if (config.PUBLISH_KEY === undefined) {
    await writeKeyFile(folder, both);
    say(session, `${keyFilePath(folder)} has both private keys`);
    await printLines(stdout, publicKeys);
  } else {
    await printLines(stdout, [both.map(({ text }) => text).join(','), ...publicKeys]);
  }
}
