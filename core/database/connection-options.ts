import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { ConfigurationError } from '../process/config.js';
import { reasonOf } from '../process/connection-errors.js';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
/** Unlike in libpq, `allow` and `prefer` have no second attempt with TLS. Neither protects a connection anyway. */
const WITHOUT_TLS: readonly Mode[] = ['disable', 'allow', 'prefer'];
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
/** The authorities that Node.js trusts, with those of NODE_EXTRA_CA_CERTS. */
const STANDARD_ROOTS = 'system';

/**
 * node-postgres's options for a `postgres://` URL, whose TLS parameters mean what they mean to libpq, unlike to node-postgres:
 * https://www.postgresql.org/docs/current/libpq-ssl.html. Without any, there is no TLS. Throws a ConfigurationError.
 */
export function connectionOptions(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const given = Object.fromEntries(url.searchParams);
  const names = ['sslmode', ...Object.keys(FILES)];
  if (!names.some((name) => name in given) || given.sslmode === 'no-verify')
    return { connectionString: databaseUrl };
  for (const name of names) url.searchParams.delete(name);
  const connectionString = url.href;
  const mode = modeOf(given);
  // As in libpq, there is no TLS on a Unix socket.
  if (WITHOUT_TLS.includes(mode) || given.host?.startsWith('/')) return { connectionString, ssl: false };
  return { connectionString, ssl: { ...filesOf(given), ...verification(mode, given.sslrootcert) } };
}

type Mode = (typeof MODES)[number];

function modeOf({ sslmode = 'verify-full', sslrootcert }: Record<string, string>): Mode {
  const mode = MODES.find((one) => one === sslmode);
  if (!mode) throw invalid(`sslmode must be one of ${MODES.join(', ')}`);
  if (mode === 'verify-ca' && sslrootcert === undefined)
    throw invalid('sslmode=verify-ca needs sslrootcert, the file of an authority: or use verify-full');
  if (mode !== 'verify-full' && sslrootcert === STANDARD_ROOTS)
    throw invalid(`sslrootcert=${STANDARD_ROOTS} needs sslmode=verify-full`);
  return mode;
}

function verification(mode: Mode, rootCertificate: string | undefined): ConnectionOptions {
  if (mode === 'verify-full') return {};
  // libpq verifies `require` too if an authority is given.
  const rejectUnauthorized = mode === 'verify-ca' || (mode === 'require' && rootCertificate !== undefined);
  return { rejectUnauthorized, checkServerIdentity: () => undefined };
}

function filesOf(given: Record<string, string>): ConnectionOptions {
  const files: Partial<Record<'ca' | 'cert' | 'key', string>> = {};
  for (const [name, option] of Object.entries(FILES)) {
    const path = given[name];
    if (path === undefined || path === STANDARD_ROOTS) continue;
    try {
      files[option] = readFileSync(path, 'utf8');
    } catch (cause) {
      throw invalid(`${name}: ${path} can't be read`, cause);
    }
  }
  try {
    createSecureContext(files);
  } catch (cause) {
    throw invalid(`${Object.keys(FILES).join(', ')}: can't be used: ${reasonOf(cause)}`, cause);
  }
  return files;
}

function invalid(fault: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`DATABASE_URL: ${fault}`, { cause });
}
