import { type Clock, systemClock } from '../../core/domain/clock.js';
import type { HttpClientOptions } from '../../worker/feeds/http/live-client.js';
import type { Recording } from '../../worker/feeds/http/recorded-client.js';
import { tlsExceptions } from '../../worker/feeds/http/tls-exceptions.js';
import { readRecordings } from '../../worker/feeds/recordings.js';
import { type Authority, createAuthority } from './authority.js';
import { type BankServer, type Counts, serveBank } from './bank-server.js';
import type { Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';

/** Banks that are served on this machine under their own names. */
export interface Banks {
  /** What a client needs to reach them: where they are, and what is trusted. */
  client: Required<Pick<HttpClientOptions, 'address' | 'tls'>>;
  /** What clients have asked of a bank. */
  counts(key: string): Counts;
  /** Begins all recordings anew, for a client that asks the same again. */
  rewind(): void;
  /** Breaks all connections. Throws what a bank could not answer. */
  close(): Promise<void>;
}

interface StartOptions {
  /** Of recordings, `<folder>/<key>/recorded`. */
  folder: string;
  keys: readonly string[];
  scenarioOf(key: string): Scenario;
  clock?: Clock;
}

/** Serves the banks of these keys from all their recordings, each as its scenario has it. */
export async function startBanks({ folder, keys, scenarioOf, clock }: StartOptions): Promise<Banks> {
  const banks = await Promise.all(
    keys.map(async (key) => ({
      key,
      recordings: await readRecordings(folder, key),
      scenario: scenarioOf(key),
    })),
  );
  return serveBanks(banks, { authority: await createAuthority(), ...(clock && { clock }) });
}

interface Bank {
  key: string;
  recordings: readonly Recording[];
  scenario: Scenario;
}

interface ServeOptions {
  authority: Authority;
  clock?: Clock;
}

/** Serves banks from the given recordings, and those who issue the intermediates that some banks leave out. */
export async function serveBanks(
  banks: readonly Bank[],
  { authority, clock = systemClock }: ServeOptions,
): Promise<Banks> {
  const served = await Promise.all(
    banks.map(async ({ key, ...bank }) => [key, await serveBank({ ...bank, authority, clock })] as const),
  );
  const servers = new Map<string, BankServer>(served);
  const issuers = await serveBank({
    recordings: [publishing(authority.intermediate)],
    scenario: scenarios['as-recorded'],
    authority,
    clock,
  });
  const ports = new Map([...servers.values(), issuers].flatMap((server) => [...server.ports]));
  return {
    client: {
      address(origin) {
        const port = ports.get(origin);
        if (port === undefined) throw Object.assign(new Error(`no bank is ${origin}`), { code: 'ENOTFOUND' });
        return { hostname: '127.0.0.1', port: String(port) };
      },
      tls: authority.trust,
    },
    counts(key) {
      const server = servers.get(key);
      if (!server) throw new Error(`no bank ${key}`);
      return server.counts();
    },
    rewind() {
      for (const server of servers.values()) server.rewind();
    },
    async close() {
      await Promise.all([...servers.values(), issuers].map((server) => server.close()));
    },
  };
}

/** What the issuers of intermediates answer, all with this one. */
function publishing(certificate: string): Recording {
  const recordedAt = new Date();
  const addresses = [...tlsExceptions.values()].flatMap(({ intermediate }) => intermediate?.address ?? []);
  const interactions = addresses.map((url) => ({
    method: 'GET',
    url,
    requestBody: null,
    status: 200,
    responseHeaders: { 'content-type': 'application/pkix-cert' },
    bodyFile: null,
    body: Buffer.from(certificate),
    recordedAt: recordedAt.toISOString(),
  }));
  return { folder: '', interactions, recordedAt };
}
