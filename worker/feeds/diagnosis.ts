import type { CalendarDate } from '../../core/domain/dates.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { CredentialsRefused, CutShort, FeedError, OtherThanAsked, WrongDocument } from './feed-error.js';
import type { HttpAnswer } from './http/client.js';
import type { UnreadDocument } from './read.js';

/** The result of requesting rates from a source. */
export interface Attempt {
  /** The provider's key. */
  key: string;
  /** Names of missing credentials, because of which nothing was requested. */
  missing?: readonly string[];
  /** The error that reading threw. */
  error?: unknown;
  /** The last response, even if it could not be used. */
  last?: HttpAnswer | undefined;
  /** The result of reading, if it completed. */
  read?: {
    rows: number;
    /** The documented reasons for responses without rates. */
    noData: readonly string[];
    unread: readonly UnreadDocument[];
    newest: CalendarDate | undefined;
    /** By its schedule. */
    isLate: boolean;
  };
}

export type Cause =
  | 'needs_a_key'
  | 'unknown_name'
  | 'down'
  | 'chain_incomplete'
  | 'certificate_expired'
  | 'certificate_name'
  | 'certificate_unknown'
  | 'tls_too_old'
  | 'cut_short'
  | 'too_large'
  | 'too_many_requests'
  | 'key_refused'
  | 'moved'
  | 'blocked'
  | 'redesigned'
  | 'odd_documents'
  | 'stale'
  | 'other';

/** The stage at which it failed; `content` if a whole response arrived. */
export type Stage = 'dns' | 'tcp' | 'tls' | 'http' | 'content';

/** Why a source gives no rates, and what can be done. */
export interface Diagnosis {
  cause: Cause;
  /** Undefined if nothing was requested. */
  stage: Stage | undefined;
  /** The likely cause, in a sentence. */
  likely: string;
  /** What to do, in a sentence. */
  remedy: string;
}

/** The likely cause of a failed attempt; undefined if there is no problem. */
export function diagnose(attempt: Attempt): Diagnosis | undefined {
  const facts = factsOf(attempt);
  const found = CAUSES.find(({ when }) => when(facts));
  if (!found) return undefined;
  const { cause, stage, likely, remedy } = found;
  return { cause, stage, likely: likely(facts), remedy: remedy(facts) };
}

/** An attempt with details of its error. */
interface Facts extends Attempt {
  /** The connection or status error. */
  http: HttpClientError | undefined;
  /** The code of the connection error; empty if it has none. */
  code: string;
  /** The status of the response that could not be read. */
  status: number | undefined;
  host: string;
  message: string;
}

function factsOf(attempt: Attempt): Facts {
  const { error, last } = attempt;
  const http = httpErrorOf(error);
  const url = http?.url ?? last?.url ?? '';
  return {
    ...attempt,
    http,
    code: http?.code ?? '',
    status: http ? http.status : error instanceof FeedError ? last?.status : undefined,
    host: URL.canParse(url) ? new URL(url).hostname : 'the source',
    message: error === undefined ? '' : reasonOf(error),
  };
}

/** The HTTP client's error among an error and its cause. It is the cause of a refusal of credentials. */
export function httpErrorOf(error: unknown): HttpClientError | undefined {
  return [error, error instanceof Error ? error.cause : undefined].find(
    (one) => one instanceof HttpClientError,
  );
}

interface KnownCause {
  cause: Cause;
  stage: Stage | undefined;
  when(facts: Facts): boolean;
  likely(facts: Facts): string;
  remedy(facts: Facts): string;
}

const TLS_EXCEPTIONS = 'worker/feeds/http/tls-exceptions.ts';

const TRY_AGAIN = 'Try again in an hour, and from another network; a worker retries by itself.';
const LET_IN =
  'Set CONTACT, which is part of the User-Agent, to a page that says who you are; try from another address, and ask the source to allow this one.';
const recordIt = ({ key }: Facts) => `\`npm run feeds:record ${key}\` records what it sends`;

const lookAtIt = (facts: Facts) =>
  `If it shows newer rates in a browser, ${recordIt(facts)}; if not, it is late, on holiday, or has ended.`;

/** The first match wins. Causes identified by a code or status precede those identified only by the kind of error. */
const CAUSES: readonly KnownCause[] = [
  {
    cause: 'needs_a_key',
    stage: undefined,
    when: ({ missing = [] }) => missing.length > 0,
    likely: ({ missing = [] }) => `It needs a key, and ${missing.join(', ')} is not set.`,
    remedy: ({ missing = [] }) => `To read its rates, get a key from it and set ${missing.join(', ')}.`,
  },
  {
    cause: 'unknown_name',
    stage: 'dns',
    when: code(/^(ENOTFOUND|EAI_)/),
    likely: ({ host }) =>
      `The name ${host} does not resolve: the source's DNS is broken, its site is gone, or this machine has no DNS.`,
    remedy: ({ host }) =>
      `Look up ${host} here and from another network: if it is gone everywhere, look for the source's new address.`,
  },
  {
    cause: 'down',
    stage: 'tcp',
    when: code(/^(ECONNREFUSED|EHOST|ENET|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/),
    likely: ({ host, code }) =>
      `Can't connect to ${host} (${code}): it is down, or a firewall drops connections from here.`,
    remedy: () => TRY_AGAIN,
  },
  {
    cause: 'chain_incomplete',
    stage: 'tls',
    when: code(/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/),
    likely: ({ host }) =>
      `${host} leaves out an intermediate certificate, which browsers fetch by themselves.`,
    remedy: ({ host }) =>
      `\`openssl s_client -connect ${host}:443 </dev/null | openssl x509 -noout -ext authorityInfoAccess\` prints its address: add the address and its SHA-256 to ${TLS_EXCEPTIONS}.`,
  },
  {
    cause: 'chain_incomplete',
    stage: 'tls',
    when: ({ http, code }) => http?.reason === 'certificate' && code === '',
    likely: ({ message }) =>
      `The certificate that the source leaves out can't be fetched from its issuer: ${message}.`,
    remedy: () =>
      `Correct the source's entry in ${TLS_EXCEPTIONS}; remove it if the source sends the whole chain.`,
  },
  {
    cause: 'certificate_expired',
    stage: 'tls',
    when: code(/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/),
    likely: ({ host, code }) =>
      `The certificate of ${host} has expired (${code}), or this machine's clock is wrong.`,
    remedy: () =>
      'Check the clock; if it is right, tell the source, and wait: certificates are always verified.',
  },
  {
    cause: 'certificate_name',
    stage: 'tls',
    when: code(/^(ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/),
    likely: ({ host }) =>
      `The certificate is for another name than ${host}: the site has moved, or another server responds in its place.`,
    remedy: ({ host }) => `Open https://${host} in a browser, and look for the source's new address.`,
  },
  {
    cause: 'certificate_unknown',
    stage: 'tls',
    when: ({ http }) => http?.reason === 'certificate',
    likely: ({ host, code }) =>
      `The certificates of ${host} have no trusted issuer (${code}): a proxy that inspects TLS made them, or the source itself.`,
    remedy: () =>
      "If several sources show it, let this machine past the proxy, or name the proxy's root in NODE_EXTRA_CA_CERTS; otherwise tell the source.",
  },
  {
    cause: 'tls_too_old',
    stage: 'tls',
    when: code(/^(ERR_SSL_|EPROTO)/),
    likely: ({ host, code }) => `${host} supports no accepted version of TLS (${code}): an old one, or none.`,
    remedy: ({ host }) =>
      `If \`openssl s_client -tls1 -connect ${host}:443\` connects, list the host as \`legacy\` in ${TLS_EXCEPTIONS}.`,
  },
  {
    cause: 'down',
    stage: 'http',
    when: ({ http, code }) => http?.reason === 'timeout' || /_TIMEOUT$/.test(code),
    likely: ({ host }) =>
      `${host} accepts the connection but does not finish in time: it is overloaded, or slows down clients that it does not like.`,
    remedy: () => TRY_AGAIN,
  },
  {
    cause: 'cut_short',
    stage: 'content',
    when: ({ error, http, status }) =>
      error instanceof CutShort || (http?.reason === 'connection' && status !== undefined),
    likely: ({ message }) => `Only a part of the response arrived: ${message}.`,
    remedy: (facts) => `Run it again, also from another network; if it persists, ${recordIt(facts)}.`,
  },
  {
    cause: 'too_large',
    stage: 'content',
    when: ({ http }) => http?.reason === 'too-large',
    likely: ({ message }) => `The response is larger than any of its earlier ones: ${message}.`,
    remedy: () => 'Look at the address in a browser; if it is the same data, raise maxBytes in its feed.',
  },
  {
    cause: 'too_many_requests',
    stage: 'http',
    when: status(429),
    likely: ({ host, http }) => `${host} asks for fewer requests${waitOf(http)}.`,
    remedy: () =>
      'Wait; check what else sends it requests from this address, and raise pauseMs in its feed if nothing does.',
  },
  {
    cause: 'key_refused',
    stage: 'http',
    when: (facts) => facts.error instanceof CredentialsRefused || status(401)(facts),
    likely: ({ host }) => `${host} refuses the key that is set, or now requires one.`,
    remedy: () => 'Check the key that is set for it, and get a new one from the source.',
  },
  {
    cause: 'moved',
    stage: 'http',
    when: ({ http }) => http?.reason === 'redirect',
    likely: ({ message }) => `Its address has moved: ${message}.`,
    remedy: () => 'Open the new address: if the same data is there, correct the address in its feed.',
  },
  {
    cause: 'moved',
    stage: 'http',
    when: status(404, 410),
    likely: ({ message }) => `Its data is no longer at this address: ${message}.`,
    remedy: () => "Look for the data on the source's site, and correct the address in its feed.",
  },
  {
    cause: 'down',
    stage: 'http',
    when: ({ status = 0 }) => status >= 500,
    likely: ({ host, status }) => `${host} is out of order (status ${status}).`,
    remedy: () => TRY_AGAIN,
  },
  {
    cause: 'blocked',
    stage: 'http',
    when: status(403, 406, 451),
    likely: ({ host, status }) => `${host} refuses this program, or your address (status ${status}).`,
    remedy: () => LET_IN,
  },
  {
    cause: 'blocked',
    stage: 'content',
    when: ({ error, last }) =>
      error instanceof WrongDocument ||
      (error instanceof FeedError && last !== undefined && isChallenge(last)),
    likely: ({ message }) => `It sent something other than its data, such as a firewall's page: ${message}.`,
    remedy: () => LET_IN,
  },
  {
    cause: 'redesigned',
    stage: 'http',
    when: ({ http }) => http?.reason === 'status',
    likely: ({ message }) => `It no longer understands the request: ${message}.`,
    remedy: ({ key }) =>
      `Look at what the source documents now, and correct the request in its feed (${key}).`,
  },
  {
    cause: 'down',
    stage: 'http',
    when: ({ http }) => http?.reason === 'malformed' || http?.reason === 'connection',
    likely: ({ message }) => `The server breaks the connection, or is no web server: ${message}.`,
    remedy: () => TRY_AGAIN,
  },
  {
    cause: 'stale',
    stage: 'content',
    when: ({ error }) => error instanceof OtherThanAsked,
    likely: ({ message }) => `It responds, but not with rates for the requested days: ${message}.`,
    remedy: lookAtIt,
  },
  {
    cause: 'redesigned',
    stage: 'content',
    when: ({ error }) => error instanceof FeedError,
    likely: ({ message }) => `Its format is not the one that its feed reads: ${message}.`,
    remedy: (facts) =>
      `Look at the address in a browser; ${recordIt(facts)}, to correct the feed with (docs/feeds.md).`,
  },
  {
    cause: 'other',
    stage: undefined,
    when: ({ error }) => error !== undefined,
    likely: ({ message }) => `As far as is known, this program failed, not the source: ${message}.`,
    remedy: () => 'LOG_LEVEL=debug shows where; report it if it persists.',
  },
  {
    cause: 'odd_documents',
    stage: 'content',
    when: ({ read }) => (read?.unread.length ?? 0) > 0,
    likely: ({ read }) =>
      `${read?.unread.length} of its documents can't be read, such as that of ${read?.unread[0]?.from}: ${read?.unread[0]?.reason}.`,
    remedy: (facts) => `The others can; a worker retries these. If it persists, ${recordIt(facts)}.`,
  },
  {
    cause: 'stale',
    stage: 'content',
    when: ({ read }) => read?.rows === 0 && read.noData.length === 0,
    likely: () => 'It responds, but with no rate for the requested days.',
    remedy: lookAtIt,
  },
  {
    cause: 'stale',
    stage: 'content',
    when: ({ read }) => read?.isLate === true,
    likely: ({ read }) =>
      `Its newest rates are ${read?.newest === undefined ? 'older than the requested days' : `of ${read.newest}`}, but by its schedule there should be newer ones.`,
    remedy: lookAtIt,
  },
];

function code(pattern: RegExp): KnownCause['when'] {
  return ({ code }) => pattern.test(code);
}

function status(...wanted: readonly number[]): KnownCause['when'] {
  return ({ status = 0 }) => wanted.includes(status);
}

function waitOf(http: HttpClientError | undefined): string {
  const { retryAfterMs } = http ?? {};
  return retryAfterMs === undefined ? '' : `, the next one in ${Math.ceil(retryAfterMs / 1000)} s`;
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
