import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { type Agent, buildConnector } from 'undici';
import * as z from 'zod';
import { openAgent } from '../../../core/http-client/open-agent.js';
import type { Proxies } from '../../../core/http-client/proxies.js';
import { dataFile, readDataFile } from '../../../core/process/project-files.js';

/** The trusted certificates, and the exceptions for hosts with broken TLS. */
export interface TlsTrust {
  /** Default: those that Node.js trusts. */
  roots?: readonly string[];
  exceptions: ReadonlyMap<string, TlsException>;
}

/** Default for the protocol: that of the origin. */
type Address = Pick<URL, 'hostname' | 'port'> & Partial<Pick<URL, 'protocol'>>;

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
}: ConnectionOptions): Agent {
  const connectorWith = (tls: { minVersion?: 'TLSv1'; ciphers?: string; ca?: string[] }) => {
    const connect = buildConnector({ timeout: limits.connect, ...tls });
    return address ? connectingTo(address, connect) : connect;
  };
  const standard = connectorWith(roots ? { ca: [...roots] } : {});
  const trusted = roots ?? [...rootCertificates, ...extraRoots()];
  const special = new Map<string, buildConnector.connector>();
  for (const [host, { legacy, intermediate }] of exceptions) {
    const versions = legacy ? ({ minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const) : {};
    special.set(host, connectorWith({ ...versions, ca: [...trusted, ...[intermediate ?? []].flat()] }));
  }
  return openAgent({
    connections: limits.connectionsPerHost,
    headersTimeout: limits.firstByte,
    bodyTimeout: limits.idle,
    connect: (options, callback) => (special.get(options.hostname) ?? standard)(options, callback),
    proxies,
  });
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

const tlsException = z.strictObject({
  /** The host only supports TLS 1.0. */
  legacy: z.literal(true).optional(),
  /** The certificate that the host should send and does not, as PEM. The data name its file in `data/certificates`. */
  intermediate: z
    .string()
    .transform((file) => readFileSync(dataFile(join('certificates', file)), 'utf8'))
    .optional(),
  note: z.string().optional(),
});

export type TlsException = z.infer<typeof tlsException>;

/** Hosts with a known TLS defect. Certificates are verified for all hosts, including these. */
export const tlsExceptions: ReadonlyMap<string, TlsException> = new Map(
  Object.entries(readDataFile('tls_exceptions.json', z.record(z.string(), tlsException))),
);
