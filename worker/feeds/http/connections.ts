import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { type Agent, buildConnector, type Dispatcher } from 'undici';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import { openAgent } from '../../../core/http-client/open-agent.js';
import type { Proxies } from '../../../core/http-client/proxies.js';
import { sendRequest } from '../../../core/http-client/send-request.js';

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
  const open = (tls: { minVersion?: 'TLSv1'; ciphers?: string; ca?: string[] } = {}) => {
    const connect = { timeout: limits.connect, ...tls };
    return openAgent({
      connections: limits.connectionsPerHost,
      headersTimeout: limits.firstByte,
      bodyTimeout: limits.idle,
      connect: address ? connectingTo(address, buildConnector(connect)) : connect,
      proxies,
    });
  };
  const shared = open(roots ? { ca: [...roots] } : {});
  const trusted = roots ?? [...rootCertificates, ...extraRoots()];
  const special = new Map<string, Promise<Agent>>();

  async function openFor(exception: TlsException): Promise<Agent> {
    const { legacy, intermediate } = exception;
    const missing = intermediate ? [await fetchIntermediate(intermediate, shared)] : [];
    return open({
      ...(legacy && { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      ca: [...trusted, ...missing],
    });
  }

  /** The dispatcher for the host of the URL. Throws an HttpClientError if a certificate that it needs is unavailable. */
  async function to(url: string): Promise<Dispatcher> {
    const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
    const exception = protocol === 'https:' ? exceptions.get(hostname) : undefined;
    if (!exception) return shared;
    const agent = special.get(hostname) ?? openFor(exception);
    special.set(hostname, agent);
    // A certificate that could not be fetched now may be available the next time.
    agent.catch(() => special.delete(hostname));
    return agent;
  }

  async function close(): Promise<void> {
    const opened = await Promise.allSettled(special.values());
    const agents = opened.flatMap((agent) => (agent.status === 'fulfilled' ? [agent.value] : []));
    await Promise.all([shared, ...agents].map((agent) => agent.destroy()));
  }

  return { to, close };
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

/** A certificate that a host should send and does not. */
interface MissingIntermediate {
  name: string;
  /** The URL at which its issuer publishes it. */
  address: string;
  /** SHA-256 of its DER form. Nothing else is accepted. */
  sha256: string;
}

export interface TlsException {
  /** The host only supports TLS 1.0. */
  legacy?: true;
  intermediate?: MissingIntermediate;
}

const DIGICERT_2020: MissingIntermediate = {
  name: 'DigiCert Global G2 TLS RSA SHA256 2020 CA1',
  address: 'https://cacerts.digicert.com/DigiCertGlobalG2TLSRSASHA2562020CA1-1.crt.pem',
  sha256: 'c8025f9fc65fdfc95b3ca8cc7867b9a587b5277973957917463fc813d0b625a9',
};

const SECTIGO_R36: MissingIntermediate = {
  name: 'Sectigo Public Server Authentication CA DV R36',
  address: 'http://crt.sectigo.com/SectigoPublicServerAuthenticationCADVR36.crt',
  sha256: '8c54c334b66ba4e426772af4a3f9136c19a1aec729fdb28c535c07a5a4ef22e0',
};

/** It expires on 2027-11-02; the bank must replace it before. */
const RAPIDSSL_G1: MissingIntermediate = {
  name: 'RapidSSL TLS RSA CA G1',
  address: 'http://cacerts.rapidssl.com/RapidSSLTLSRSACAG1.crt',
  sha256: '4422e963ee53cd58cc9f85cd40bf5ffec0095fdf1a154535661c1c06bcadc69b',
};

const TRUSTICO_2: MissingIntermediate = {
  name: 'Trustico RSA DV SSL CA 2',
  address: 'http://crt.sectigo.com/TrusticoRSADVSSLCA2.crt',
  sha256: '0c91c1aa252380acb3de162338be4025e0430a4109dddcd7d6716b2d746c6920',
};

/** Hosts with a known TLS defect. Certificates are verified for all hosts, including these. */
export const tlsExceptions: ReadonlyMap<string, TlsException> = new Map([
  ['servicios.bcn.gob.ni', { legacy: true }],
  ['www.bank-of-algeria.dz', { intermediate: DIGICERT_2020 }],
  ['cbo.gov.om', { intermediate: DIGICERT_2020 }],
  ['www.cbs.sc', { intermediate: SECTIGO_R36 }],
  ['www.brb.bi', { intermediate: RAPIDSSL_G1 }],
  ['www.bcv.org.ve', { intermediate: SECTIGO_R36 }],
  ['www.rbv.gov.vu', { intermediate: TRUSTICO_2 }],
]);
