import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { providerOf } from '../../core/domain/providers.js';
import { type Config, ConfigurationError, dataFolder } from '../../core/process/config.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { ifMissingFile, replaceFile } from '../../core/process/replace-file.js';
import { makeSigningKey, parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import type { Disk } from './folder.js';

export interface PublishOptions {
  folder: string;
  /** Each of them signs. */
  keys: readonly SigningKey[];
  now: Date;
  log: Logger;
  /** Providers whose own rates are left out. */
  omit?: readonly string[];
  /** The public URLs of the publication and of this API. */
  url?: string | undefined;
  api?: string | undefined;
  /** A command to run after each publication. */
  hook?: string | undefined;
  /** The URL or folder to copy the log from, if this folder does not have it. */
  resume?: string | undefined;
  /** The minimum time between two records, in milliseconds. */
  everyMs?: number;
  onProgress?: ShowProgress | undefined;
  stopping?: AbortSignal | undefined;
  /** How to write files. Tests make this fail. */
  disk?: Disk;
}

/**
 * The configured options. If no key is configured, generates one in the data folder, with an origin of its
 * own. Throws a ConfigurationError that names the faulty variable.
 */
export async function publishSettings(
  config: Config,
): Promise<Pick<PublishOptions, 'keys' | 'omit' | 'url' | 'api' | 'hook'>> {
  const unknown = config.PUBLISH_OMIT.find((key) => !providerOf(key));
  if (unknown !== undefined) throw new ConfigurationError(`PUBLISH_OMIT: there is no provider ${unknown}`);
  const keys = await signingKeys(config);
  return {
    keys,
    omit: config.PUBLISH_OMIT,
    url: addressOf(keys[0]?.origin),
    api: config.PUBLISH_API_URL,
    hook: config.PUBLISH_HOOK,
  };
}

/** The origin of a generated key, which is not an address. */
const LOCAL = 'local/';

/** An operator's origin is the address of the publication, without `https://`. */
function addressOf(origin = LOCAL): string | undefined {
  return origin.startsWith(LOCAL) ? undefined : `https://${origin}`;
}

async function signingKeys(config: Config): Promise<readonly SigningKey[]> {
  const { PUBLISH_KEY } = config;
  try {
    if (PUBLISH_KEY !== undefined) return parseSigningKeys(PUBLISH_KEY);
    const folder = dataFolder(config);
    const stored = await readKeyFile(folder);
    if (stored) return stored;
    const made = [makeSigningKey(`${LOCAL}${randomBytes(4).toString('hex')}`)];
    await writeKeyFile(folder, made);
    return made;
  } catch (cause) {
    if (!(cause instanceof PublicationError)) throw cause;
    const where = PUBLISH_KEY === undefined ? 'publish.key in DATA_DIR' : 'PUBLISH_KEY';
    throw new ConfigurationError(`${where}: ${cause.message}`, { cause });
  }
}

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
