import querystring from 'node:querystring';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
export const REDIS_PREFIX = 'almanac';
/** A part in braces puts all keys into one slot of a Cluster. */
const VALID_PREFIX = /^[\w.-]*(\{[\w.-]+\})?[\w.-]*$/;

/** Scheme, user and password, comma-separated addresses, the master's name, and the rest. */
const SENTINELS = /^(rediss?)\+sentinel:\/\/([^@/]*@)?([^@/?]+)\/([^/?]+)((?:\/\d+)?(?:\?.*)?)$/;

/**
 * `redis[s]://[user:password@]host[:port][/db]`, or
 * `redis[s]+sentinel://[user:password@]host[:port],host[:port]/master[/db]` for the master that Sentinels
 * report, whose own login is in `sentinelUsername` and `sentinelPassword`. Both may end with `?prefix=`, of letters,
 * digits, ".", "-" and "_", with an optional part in braces: all keys and channels begin with it. Undefined if it is neither.
 */
export function parseRedisUrl(text: string) {
  const [, scheme, login = '', list = '', name, rest = ''] = SENTINELS.exec(text) ?? [];
  if (scheme === undefined || name === undefined) return parseServer(text);
  const server = parseServer(`${scheme}://${login}${name}${rest}`);
  const addresses = list.split(',');
  const sentinels = addresses.flatMap(
    (address) => parseServer(`${scheme}://${address}`, SENTINEL_PORT) ?? [],
  );
  if (server === undefined || sentinels.length < addresses.length) return undefined;
  return {
    ...server,
    ...(server.tls && { enableTLSForSentinelMode: true, sentinelTLS: server.tls }),
    name,
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
  };
}

function parseServer(text: string, standardPort = REDIS_PORT) {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  if (!/^rediss?:$/.test(protocol) || !/^[^,]+$/.test(hostname) || !/^(\/\d*)?$/.test(pathname))
    return undefined;
  const prefix = searchParams.get('prefix') || REDIS_PREFIX;
  if (!VALID_PREFIX.test(prefix)) return undefined;
  const sentinelUsername = searchParams.get('sentinelUsername');
  const sentinelPassword = searchParams.get('sentinelPassword');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || standardPort),
    db: Number(pathname.slice(1)),
    prefix,
    family: Number(searchParams.get('family')),
    // Unlike decodeURIComponent it does not throw if a password has a bare percent sign.
    ...(username && { username: querystring.unescape(username) }),
    ...(password && { password: querystring.unescape(password) }),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
