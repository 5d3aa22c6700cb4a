import type { CalendarDate } from '../../core/domain/dates.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { CredentialsRefused, CutShort, FeedError, OtherThanAsked, WrongDocument } from './feed-error.js';
import type { HttpAnswer } from './http/client.js';
import type { Traffic } from './http/traffic.js';
import type { ReadResult } from './read.js';

/** The result of requesting rates from a source. */
export interface Attempt {
  key: string;
  /** Names of missing credentials, because of which nothing was requested. */
  missing?: readonly string[];
  error?: unknown;
  traffic?: Traffic | undefined;
  /** The result of reading, if it completed. */
  read?: Pick<ReadResult, 'rows' | 'noData' | 'unread'> & {
    newest: CalendarDate | undefined;
    /** By its schedule. */
    isLate: boolean;
  };
}

export type Cause = keyof typeof WORDS;

/** Why a source gives no rates, and what can be done; undefined if there is no problem. */
export function diagnose(attempt: Attempt) {
  const cause = causeOf(attempt);
  if (cause === undefined) return undefined;
  const details = detailsOf(attempt);
  const fill = (words: string) => words.replace(/\{(\w+)\}/g, (_, name: string) => details[name] ?? '');
  const [likely, remedy] = WORDS[cause];
  return { cause, likely: fill(likely), remedy: fill(remedy) };
}

/** The HTTP client's error among an error and its cause. It is the cause of a refusal of credentials. */
function httpErrorOf(error: unknown): HttpClientError | undefined {
  return [error, error instanceof Error ? error.cause : undefined].find(
    (one) => one instanceof HttpClientError,
  );
}

const TLS_EXCEPTIONS = 'worker/feeds/http/tls-exceptions.ts';
const RECORD = '`npm run feeds:record {key}` records what it sends';

/** The likely cause and what to do, in a sentence each. Names in braces are those of `detailsOf`. */
const WORDS = {
  needs_a_key: [
    'It needs a key, and {missing} is not set.',
    'To read its rates, get a key from it and set {missing}.',
  ],
  proxy: [
    'The proxy is the cause: {message}.',
    'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and whether the proxy allows {host}.',
  ],
  unknown_name: [
    "The name {host} does not resolve: the source's DNS is broken, its site is gone, or this machine has no DNS.",
    "Look up {host} here and from another network: if it is gone everywhere, look for the source's new address.",
  ],
  down: [
    '{host} is down or overloaded, or something breaks connections from here: {message}.',
    'Try again in an hour, and from another network; a worker retries by itself.',
  ],
  chain_incomplete: [
    'An intermediate certificate is missing, which the source leaves out and browsers fetch by themselves: {message}.',
    `\`openssl s_client -connect HOST:443 </dev/null | openssl x509 -noout -ext authorityInfoAccess\` prints its address: write the address and its SHA-256 for the host into ${TLS_EXCEPTIONS}, or remove the host from it if the source sends the whole chain.`,
  ],
  certificate_expired: [
    "The certificate of {host} has expired ({code}), or this machine's clock is wrong.",
    'Check the clock; if it is right, tell the source, and wait: certificates are always verified.',
  ],
  certificate_name: [
    'The certificate is for another name than {host}: the site has moved, or another server responds in its place.',
    "Open https://{host} in a browser, and look for the source's new address.",
  ],
  certificate_unknown: [
    'The certificates of {host} have no trusted issuer ({code}): a proxy that inspects TLS made them, or the source itself.',
    "If several sources show it, let this machine past the proxy, or name the proxy's root in NODE_EXTRA_CA_CERTS; otherwise tell the source.",
  ],
  tls_too_old: [
    '{host} supports no accepted version of TLS ({code}): an old one, or none.',
    `If \`openssl s_client -tls1 -connect {host}:443\` connects, list the host as \`legacy\` in ${TLS_EXCEPTIONS}.`,
  ],
  cut_short: [
    'Only a part of the response arrived: {message}.',
    `Run it again, also from another network; if it persists, ${RECORD}.`,
  ],
  too_large: [
    'The response is larger than any of its earlier ones: {message}.',
    'Look at the address in a browser; if it is the same data, raise maxBytes in its feed.',
  ],
  too_many_requests: [
    '{host} asks for fewer requests{wait}.',
    'Wait; check what else sends it requests from this address, and raise pauseMs in its feed if nothing does.',
  ],
  key_refused: [
    '{host} refuses the key that is set, or now requires one.',
    'Check the key that is set for it, and get a new one from the source.',
  ],
  moved: [
    'Its data is no longer at this address: {message}.',
    "Look for the data on the source's site, and correct the address in its feed.",
  ],
  blocked: [
    '{host} refuses this program or your address, or a firewall does: {message}.',
    'Set CONTACT, which is part of the User-Agent, to a page that says who you are; try from another address, and ask the source to allow this one.',
  ],
  redesigned: [
    'Its format or its requests are not those of its feed: {message}.',
    `Look at the address in a browser; ${RECORD}, to correct the feed with (docs/feeds.md).`,
  ],
  odd_documents: ['{message}.', `The others can; a worker retries these. If it persists, ${RECORD}.`],
  stale: [
    'It responds, but without the rates that are due: {message}.',
    `If it shows newer rates in a browser, ${RECORD}; if not, it is late, on holiday, or has ended.`,
  ],
  other: [
    'As far as is known, this program failed, not the source: {message}.',
    'LOG_LEVEL=debug shows where; report it if it persists.',
  ],
} as const satisfies Record<string, readonly [likely: string, remedy: string]>;

const BY_CODE: readonly (readonly [code: RegExp, Cause])[] = [
  [/^(ENOTFOUND|EAI_)/, 'unknown_name'],
  [/^(ECONNREFUSED|EHOST|ENET|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/, 'down'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'chain_incomplete'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate_expired'],
  [/^(ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/, 'certificate_name'],
  [/^(ERR_SSL_|EPROTO)/, 'tls_too_old'],
];

const BY_STATUS: Readonly<Record<number, Cause>> = {
  401: 'key_refused',
  403: 'blocked',
  404: 'moved',
  406: 'blocked',
  410: 'moved',
  429: 'too_many_requests',
  451: 'blocked',
};

/** Causes identified by a code or status precede those identified by the kind of error. */
function causeOf({ missing, error, traffic, read }: Attempt): Cause | undefined {
  if (missing) return 'needs_a_key';
  const last = traffic?.last;
  const {
    reason,
    code = '',
    status = error instanceof FeedError ? last?.status : undefined,
  } = httpErrorOf(error) ?? {};
  if (reason === 'proxy') return 'proxy';
  const [, byCode] = BY_CODE.find(([pattern]) => pattern.test(code)) ?? [];
  if (byCode) return byCode;
  if (reason === 'certificate') return code === '' ? 'chain_incomplete' : 'certificate_unknown';
  if (reason === 'timeout' || code.endsWith('_TIMEOUT')) return 'down';
  if (error instanceof CutShort || (reason === 'connection' && status !== undefined)) return 'cut_short';
  if (reason === 'too-large') return 'too_large';
  if (error instanceof CredentialsRefused) return 'key_refused';
  if (reason === 'redirect') return 'moved';
  const byStatus = BY_STATUS[status ?? 0];
  if (byStatus) return byStatus;
  if (reason === 'malformed' || reason === 'connection' || (status ?? 0) >= 500) return 'down';
  if (error instanceof WrongDocument || (error instanceof FeedError && last && isChallenge(last)))
    return 'blocked';
  if (reason === 'status') return 'redesigned';
  if (error instanceof OtherThanAsked) return 'stale';
  if (error instanceof FeedError) return 'redesigned';
  if (error !== undefined) return 'other';
  if (read?.unread.length) return 'odd_documents';
  return read && (read.isLate || isEmpty(read)) ? 'stale' : undefined;
}

function detailsOf({ key, missing = [], error, traffic, read }: Attempt): Readonly<Record<string, string>> {
  const { url = traffic?.last?.url ?? '', code = '', retryAfterMs } = httpErrorOf(error) ?? {};
  return {
    key,
    missing: missing.join(', '),
    host: URL.canParse(url) ? new URL(url).hostname : 'the source',
    code,
    message: error === undefined ? shortcomingOf(read) : reasonOf(error),
    wait: retryAfterMs === undefined ? '' : `, the next one in ${Math.ceil(retryAfterMs / 1000)} s`,
  };
}

function shortcomingOf(read: Attempt['read']): string {
  if (!read) return '';
  const { unread, newest } = read;
  const [odd] = unread;
  if (odd)
    return `${unread.length} of its documents can't be read, such as that of ${odd.from}: ${odd.reason}`;
  if (isEmpty(read)) return 'it has no rate for the requested days';
  const days = newest === undefined ? 'older than the requested days' : `of ${newest}`;
  return `its newest rates are ${days}, but by its schedule there should be newer ones`;
}

function isEmpty({ rows, noData }: NonNullable<Attempt['read']>): boolean {
  return rows.length === 0 && Object.keys(noData).length === 0;
}

/** Titles and headings of pages that are served instead of the requested one. */
const CHALLENGE =
  /just a moment|attention required|access denied|request (was )?(rejected|blocked|unsuccessful)|url was rejected|pardon our interruption|checking your browser|ddos|captcha|security check|not a robot|(you are|a) human|forbidden|not acceptable|blocked/i;
const TITLES = /<(title|h1)\b[^>]*>([^<]{0,200})/gi;
/** A page that consists of a frame with the challenge. */
const FRAME = /_Incapsula_Resource/;
const LOOKED_AT = 20_000;

function isChallenge({ bytes }: HttpAnswer): boolean {
  const start = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1');
  return FRAME.test(start) || [...start.matchAll(TITLES)].some(([, , title = '']) => CHALLENGE.test(title));
}
