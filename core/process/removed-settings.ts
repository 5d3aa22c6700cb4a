import type { Logger } from 'pino';

/** Variables of earlier versions, with what replaces them, or the value that they now always have. */
const REMOVED: Readonly<Record<string, string>> = {
  ACCESS_LOG: 'LOG_LEVEL=debug logs every request',
  ADMIN_BOARD_WRITES: 'none: the queue board is read-only',
  ADMIN_TOKEN_PREVIOUS: 'ADMIN_TOKEN=new,previous',
  BACKUP_KEEP: '7',
  CONTACT_EMAIL: 'CONTACT',
  CONTACT_URL: 'CONTACT',
  DATABASE_CONNECTIONS: '8',
  KEEP_ALIVE_SECONDS: '65',
  MAX_BUFFERED_MB: '128',
  MAX_CONNECTIONS: '2000',
  MAX_CONNECTIONS_PER_CLIENT: '256',
  MAX_REQUESTS: '1000',
  MAX_REQUESTS_PER_CLIENT: '256',
  MCP_ORIGINS: 'MCP',
  MIGRATE: 'none: a program whose user may not migrate waits for the command migrate',
  PUBLICATION_POLL: '60',
  PUBLISH_EVERY: '600',
  PUBLISH_URL: 'the origin of PUBLISH_KEY',
  RATE_LIMIT_CURRENCY: 'RATE_LIMITS=currency=…',
  RATE_LIMIT_LOGIN: 'RATE_LIMITS=login=…',
  RATE_LIMIT_MCP: 'RATE_LIMITS=mcp=…',
  RATE_LIMIT_RELAY: 'RATE_LIMITS=relay=…',
  RATE_LIMIT_UTILITY: 'RATE_LIMITS=utility=…',
  READ_ONLY: 'none: an API on a replica needs no setting',
  REDIS_CACHE_BYTES: '268435456',
  REDIS_CACHE_URL: 'REDIS_URL',
  REDIS_PREFIX: 'REDIS_URL=redis://host?prefix=…',
  RENDER_THREADS: '1',
  RUNS_KEEP_DAYS: '400',
  SNAPSHOT_DIR: 'DATA_DIR',
  WORKER_HEALTH_PORT: 'ADMIN_PORT',
};

export function warnOfRemoved(variables: Readonly<Record<string, string | undefined>>, log: Logger): void {
  const found = Object.entries(REMOVED).filter(([name]) =>
    [name, `${name}_FILE`].some((set) => (variables[set] ?? '').trim() !== ''),
  );
  if (found.length > 0) log.warn({ instead: Object.fromEntries(found) }, 'settings without effect');
}
