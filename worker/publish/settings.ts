import { randomBytes } from 'node:crypto';
import { providerOf } from '../../core/domain/providers.js';
import { type Config, ConfigurationError, dataFolder } from '../../core/process/config.js';
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
