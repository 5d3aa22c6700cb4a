import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../core/process/config.js';
import { makeSigningKey, parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';
import { isMissing } from './missing.js';

/** Where a publisher without PUBLISH_KEY keeps its own. */
export function keyFile({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'publish.key');
}

/**
 * The keys of PUBLISH_KEY, else those of the key file, which is made at the first time with a key of a name of its own.
 * Throws a PublicationError where they are no keys.
 */
export async function signingKeys(config: Pick<Config, 'DATA_DIR' | 'PUBLISH_KEY'>): Promise<SigningKey[]> {
  if (config.PUBLISH_KEY !== undefined) return parseSigningKeys(config.PUBLISH_KEY);
  const file = keyFile(config);
  try {
    return parseSigningKeys(await readFile(file, 'utf8'));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const key = makeSigningKey(`local/${randomBytes(4).toString('hex')}`);
  await mkdir(config.DATA_DIR, { recursive: true });
  await writeFile(file, `${key.text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return [key];
}
