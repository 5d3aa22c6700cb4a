import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { fetchIntermediate } from './intermediate.js';
import { type TlsException, tlsExceptions } from './tls-exceptions.js';

/** Kept connections, a few to each host. */
export interface Connections {
  to(url: URL): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** What is trusted, and where TLS is broken. */
export interface TlsTrust {
  roots: readonly string[];
  exceptions: ReadonlyMap<string, TlsException>;
}

const standardTrust: TlsTrust = { roots: rootCertificates, exceptions: tlsExceptions };

export function openConnections(
  limits: { connect: number; firstByte: number; idle: number; connectionsPerHost: number },
  { roots, exceptions }: TlsTrust = standardTrust,
): Connections {
  const open = (tls: { minVersion?: 'TLSv1'; ciphers?: string; ca?: string[] } = {}) =>
    new Agent({
      connections: limits.connectionsPerHost,
      pipelining: 1,
      headersTimeout: limits.firstByte,
      bodyTimeout: limits.idle,
      connect: { timeout: limits.connect, ...tls },
    });
  const shared = open(roots === rootCertificates ? {} : { ca: [...roots] });
  const special = new Map<string, Promise<Agent>>();

  async function openFor(exception: TlsException): Promise<Agent> {
    return open({
      ...(exception.legacy && { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0', ca: [...roots] }),
      ...(exception.intermediate && {
        ca: [...roots, await fetchIntermediate(exception.intermediate, shared)],
      }),
    });
  }

  async function to(url: URL): Promise<Dispatcher> {
    const exception = url.protocol === 'https:' ? exceptions.get(url.hostname) : undefined;
    if (!exception) return shared;
    const agent = special.get(url.hostname) ?? openFor(exception);
    special.set(url.hostname, agent);
    // A certificate that could not be fetched now may be had the next time.
    agent.catch(() => special.delete(url.hostname));
    return agent;
  }

  async function close(): Promise<void> {
    const opened = await Promise.allSettled(special.values());
    const agents = opened.flatMap((agent) => (agent.status === 'fulfilled' ? [agent.value] : []));
    await Promise.all([shared, ...agents].map((agent) => agent.destroy()));
  }

  return { to, close };
}
