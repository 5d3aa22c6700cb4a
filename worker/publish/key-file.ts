import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissingFile } from '../../core/process/missing-file.js';
import { parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';

/** Where the private keys are that the program made itself. */
export function keyFilePath(dataFolder: string): string {
  return join(dataFolder, 'publish.key');
}

/** The private keys of the data folder; undefined where it has none. Throws a PublicationError where they cannot be read. */
export async function readKeyFile(dataFolder: string): Promise<SigningKey[] | undefined> {
  const text = await readFile(keyFilePath(dataFolder), 'utf8').catch(ifMissingFile);
  return text === undefined ? undefined : parseSigningKeys(text);
}

/** Writes the file anew, a key a line, readable by its owner alone. */
export async function writeKeyFile(dataFolder: string, keys: readonly SigningKey[]): Promise<void> {
  await mkdir(dataFolder, { recursive: true });
  const path = keyFilePath(dataFolder);
  const temporary = `${path}.new`;
  await writeFile(temporary, keys.map(({ text }) => `${text}\n`).join(''), { mode: 0o600 });
  // One that was left behind keeps the mode it had.
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}
