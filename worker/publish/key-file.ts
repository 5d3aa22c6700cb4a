import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissingFile } from '../../core/process/missing-file.js';
import { replaceFile } from '../../core/process/replace-file.js';
import { parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';

export function keyFilePath(dataFolder: string): string {
  return join(dataFolder, 'publish.key');
}

/** Undefined if the data folder has none. Throws a PublicationError if they can't be read. */
export async function readKeyFile(dataFolder: string): Promise<SigningKey[] | undefined> {
  const text = await readFile(keyFilePath(dataFolder), 'utf8').catch(ifMissingFile);
  return text === undefined ? undefined : parseSigningKeys(text);
}

/** Replaces the file, with one key per line, readable only by its owner. */
export async function writeKeyFile(dataFolder: string, keys: readonly SigningKey[]): Promise<void> {
  await replaceFile(keyFilePath(dataFolder), keys.map(({ text }) => `${text}\n`).join(''), 0o600);
}
