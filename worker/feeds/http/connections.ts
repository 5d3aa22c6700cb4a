import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { buildConnector, type Dispatcher } from 'undici';
import * as z from 'zod';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import { openAgent } from '../../../core/http-client/open-agent.js';
import type { Proxies } from '../../../core/http-client/proxies.js';
import { sendRequest } from '../../../core/http-client/send-request.js';
import { readDataFile } from '../../../core/process/project-files.js';

/** The trusted certificates, and the exceptions for hosts with broken TLS. */
export interface TlsTrust {
  /** Default: those that Node.js trusts. */
  roots?: readonly string[];
  exceptions: ReadonlyMap<string, TlsException>;
}

/** Default for the protocol: that of the origin. */
type Address = Pick<URL, 'hostname' | 'port'> & Partial<Pick<URL, 'protocol'>>;

const LARGEST_CERTIFICATE = 64 * 1024;

export interface ConnectionOptions {
  /** Milliseconds, except for the number of connections. */
  limits: {
    connect: number;
    /** From the end of the request to the first byte of the response. Some archives take a minute to generate. */
    firstByte: number;
    /** Between two chunks of a body. */
    idle: number;
    connectionsPerHost: number;
  };
  proxies?: Proxies | undefined;
  /** Replaces the standard roots and exceptions. */
  tls?: TlsTrust | undefined;
  /** Where to connect to for an origin, which tests replace. Certificates are still verified against the origin's name. */
  address?: ((origin: string) => Address) | undefined;
}

/** Opens keep-alive connections, a few per host. */
export function openConnections({
  limits,
  proxies,
  tls: { roots, exceptions } = { exceptions: tlsExceptions },
  address,
}: ConnectionOptions) {
  const connectorWith = (tls: { minVersion?: 'TLSv1'; ciphers?: string; ca?: string[] }) => {
    const connect = buildConnector({ timeout: limits.connect, ...tls });
    return address ? connectingTo(address, connect) : connect;
  };
  const standard = connectorWith(roots ? { ca: [...roots] } : {});
  const trusted = roots ?? [...rootCertificates, ...extraRoots()];
  /** By host, for those with exceptions. */
  const special = new Map<string, buildConnector.connector>();
  const singleFlight = createSingleFlight<string[]>();
  const agent = openAgent({
    connections: limits.connectionsPerHost,
    headersTimeout: limits.firstByte,
    bodyTimeout: limits.idle,
    connect: (options, callback) => (special.get(options.hostname) ?? standard)(options, callback),
    proxies,
  });

  /** The dispatcher for the host of the URL. Throws an HttpClientError if a certificate that it needs is unavailable. */
  async function to(url: string): Promise<Dispatcher> {
    const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
    const exception = protocol === 'https:' ? exceptions.get(hostname) : undefined;
    if (!exception || special.has(hostname)) return agent;
    const { legacy, intermediate } = exception;
    const fetch = async () => (intermediate ? [await fetchIntermediate(intermediate, agent)] : []);
    const missing = await singleFlight(hostname, fetch);
    const versions = legacy ? ({ minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const) : {};
    special.set(hostname, connectorWith({ ...versions, ca: [...trusted, ...missing] }));
    return agent;
  }

  return { to, close: () => agent.destroy() };
}

/** The certificates of NODE_EXTRA_CA_CERTS. Node.js warns of a file that it can't read. */
function extraRoots(): string[] {
  try {
    return [readFileSync(process.env.NODE_EXTRA_CA_CERTS ?? '', 'utf8')];
  } catch {
    return [];
  }
}

function connectingTo(
  address: (origin: string) => Address,
  connect: buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const { host = options.hostname } = options;
    const { protocol = options.protocol, hostname, port } = address(`${options.protocol}//${host}`);
    connect({ ...options, protocol, hostname, port }, callback);
  };
}

/** Fetches an intermediate certificate, as PEM. Throws an HttpClientError if it has another SHA-256 than the known one. */
async function fetchIntermediate(missing: MissingIntermediate, dispatcher: Dispatcher): Promise<string> {
  const request: HttpRequest = { method: 'GET', url: missing.address };
  const { bytes } = await sendRequest(request, {
    dispatcher,
    accepts: (status) => status === 200,
    maxBytes: LARGEST_CERTIFICATE,
  });
  try {
    const certificate = new X509Certificate(bytes);
    const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
    if (fingerprint === missing.sha256) return certificate.toString();
  } catch {
    // Anything else that the issuer sent is not a certificate.
  }
  throw new HttpClientError(
    'certificate',
    request,
    `responded with another certificate than ${missing.name}`,
  );
}

const tlsException = z.strictObject({
  /** The host only supports TLS 1.0. */
  legacy: z.literal(true).optional(),
  /** A certificate that the host should send and does not. */
  intermediate: z
    .strictObject({
      name: z.string(),
      /** The URL at which its issuer publishes it. */
      address: z.url(),
      /** SHA-256 of its DER form. Nothing else is accepted. */
      sha256: z.string(),
    })
    .optional(),
  note: z.string().optional(),
});

export type TlsException = z.infer<typeof tlsException>;
type MissingIntermediate = NonNullable<TlsException['intermediate']>;

/** Hosts with a known TLS defect. Certificates are verified for all hosts, including these. */
export const tlsExceptions: ReadonlyMap<string, TlsException> = new Map(
  Object.entries(readDataFile('tls_exceptions.json', z.record(z.string(), tlsException))),
);
