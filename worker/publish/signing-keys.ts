import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Config } from '../../core/process/config.js';
import { makeSigningKey, parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';
import { readKeyFile, writeKeyFile } from './key-file.js';

/**
 * The keys of PUBLISH_KEY, else those of the data folder, where one is made at the first time, with an origin of its own.
 * Throws a PublicationError where they are no keys.
 */
export async function signingKeys({
  DATA_DIR,
  PUBLISH_KEY,
}: Pick<Config, 'DATA_DIR' | 'PUBLISH_KEY'>): Promise<SigningKey[]> {
  if (PUBLISH_KEY !== undefined) return parseSigningKeys(PUBLISH_KEY);
  const folder = resolve(DATA_DIR);
  const stored = await readKeyFile(folder);
  if (stored) return stored;
  const made = [makeSigningKey(`local/${randomBytes(4).toString('hex')}`)];
  await writeKeyFile(folder, made);
  return made;
}
