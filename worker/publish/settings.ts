import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { providerOf } from '../../core/domain/providers.js';
import { type Config, ConfigurationError } from '../../core/process/config.js';
import { makeSigningKey, parseSigningKeys, type SigningKey } from '../../core/publication/keys.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import { readKeyFile, writeKeyFile } from './key-file.js';
import type { PublishOptions } from './publish-options.js';

/**
 * The configured options. If no key is configured, generates one in the data folder, with an origin of its
 * own. Throws a ConfigurationError that names the faulty variable.
 */
export async function publishSettings(
  config: Config,
): Promise<Pick<PublishOptions, 'keys' | 'omit' | 'url' | 'api' | 'hook'>> {
  const unknown = config.PUBLISH_OMIT.find((key) => !providerOf(key));
  if (unknown !== undefined) throw new ConfigurationError(`PUBLISH_OMIT: there is no provider ${unknown}`);
  return {
    keys: await signingKeys(config),
    omit: config.PUBLISH_OMIT,
    url: config.PUBLISH_URL,
    api: config.PUBLISH_API_URL,
    hook: config.PUBLISH_HOOK,
  };
}

async function signingKeys({ DATA_DIR, PUBLISH_KEY }: Config): Promise<readonly SigningKey[]> {
  try {
    if (PUBLISH_KEY !== undefined) return parseSigningKeys(PUBLISH_KEY);
    const folder = resolve(DATA_DIR);
    const stored = await readKeyFile(folder);
    if (stored) return stored;
    const made = [makeSigningKey(`local/${randomBytes(4).toString('hex')}`)];
    await writeKeyFile(folder, made);
    return made;
  } catch (cause) {
    if (!(cause instanceof PublicationError)) throw cause;
    const where = PUBLISH_KEY === undefined ? 'publish.key in DATA_DIR' : 'PUBLISH_KEY';
    throw new ConfigurationError(`${where}: ${cause.message}`, { cause });
  }
}
