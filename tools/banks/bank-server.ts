import {
  createServer as createPlainServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Clock } from '../../core/domain/clock.js';
import {
  type RecordedAnswer,
  type Recording,
  recordedAnswers,
  recordedBody,
} from '../../worker/feeds/http/recorded-client.js';
import { splitCookies } from '../../worker/feeds/http/set-cookie.js';
import { tlsExceptions } from '../../worker/feeds/http/tls-exceptions.js';
import type { Authority } from './authority.js';
import { made, sendWhole } from './replies.js';
import type { Reply, Scenario } from './scenario.js';

/** What clients have asked of a bank, and what it sent them. */
export interface Counts {
  connections: number;
  requests: number;
  /** With headers, and as they were encrypted. */
  bytes: number;
}

/** A bank that is served. */
export interface BankServer {
  /** The ports at which its origins, such as `https://bank.example`, are reached. */
  ports: ReadonlyMap<string, number>;
  counts(): Counts;
  /** Begins its recordings anew, for a client that asks the same again. */
  rewind(): void;
  /** Breaks its connections. Throws what it could not answer. */
  close(): Promise<void>;
}

export interface BankOptions {
  recordings: readonly Recording[];
  scenario: Scenario;
  authority: Authority;
  clock: Clock;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Headers that belong to the connection over which a response was recorded. */
const OF_THE_CONNECTION = new Set(['connection', 'content-encoding', 'content-length', 'transfer-encoding']);
const UNKNOWN = made(421, 'nothing was recorded for this request');

/** Serves a bank from its recordings, over HTTPS and plain HTTP as they were recorded, and as the scenario has it. */
export async function serveBank({
  recordings,
  scenario,
  authority,
  clock,
}: BankOptions): Promise<BankServer> {
  const { tls, resets, reply = ({ recorded }) => recorded(), send = sendWhole } = scenario;
  const visits = new Map<string, { count: number; first: number }>();
  const faults: unknown[] = [];
  let find = recordedAnswers(recordings);
  let requests = 0;

  async function answer(protocol: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++;
    const { method = '', url: path = '', headers } = request;
    const { host = '' } = headers;
    const now = clock().getTime();
    const visit = visits.get(host) ?? { count: 0, first: now };
    visits.set(host, visit);
    visit.count++;
    const body = (await buffer(request)).toString();
    const recorded = async () => {
      const found = find({ method, url: `${protocol}//${host}${path}`, body });
      return found ? replyOf(found) : UNKNOWN;
    };
    const { count, first } = visit;
    await send(await reply({ path, headers, count, elapsed: now - first, recorded }), response);
  }

  const listenerFor =
    (protocol: string): Listener =>
    (request, response) => {
      answer(protocol, request, response).catch((error: unknown) => {
        faults.push(error);
        response.destroy();
      });
    };
  const origins = originsOf(recordings);
  const doors = new Map<string, Door>();
  for (const protocol of new Set(origins.map((origin) => origin.protocol))) {
    const listener = listenerFor(protocol);
    const isLegacy = origins.some(({ hostname }) => tlsExceptions.get(hostname)?.legacy);
    const server =
      protocol === 'https:'
        ? secureServer(listener, { authority, tls, isLegacy })
        : createPlainServer(listener);
    doors.set(protocol, await openDoor(server, resets));
  }
  return {
    ports: new Map(origins.map(({ origin, protocol }) => [origin, doors.get(protocol)?.port ?? 0])),
    counts() {
      const connections = [...doors.values()].flatMap((door) => door.connections);
      const bytes = connections.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
      return { connections: connections.length, requests, bytes };
    },
    rewind() {
      find = recordedAnswers(recordings);
    },
    async close() {
      await Promise.all([...doors.values()].map((door) => door.close()));
      if (faults.length > 0) throw new AggregateError(faults, 'a bank could not answer');
    },
  };
}

function originsOf(recordings: readonly Recording[]): URL[] {
  const urls = recordings.flatMap(({ interactions }) => interactions.map(({ url }) => new URL(url)));
  return [...new Map(urls.map((url) => [url.origin, url])).values()];
}

async function replyOf({ interaction, folder }: RecordedAnswer): Promise<Reply> {
  const headers = Object.entries(interaction.responseHeaders).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (OF_THE_CONNECTION.has(lower)) return [];
    return [[lower, lower === 'set-cookie' ? splitCookies(value) : value] as const];
  });
  return {
    status: interaction.status,
    headers: Object.fromEntries(headers),
    body: await recordedBody(interaction, folder),
  };
}

interface SecureOptions {
  authority: Authority;
  tls: Scenario['tls'];
  isLegacy: boolean;
}

function secureServer(listener: Listener, { authority, tls, isLegacy }: SecureOptions): HttpServer {
  async function contextOf(host: string): Promise<SecureContext> {
    const { key, cert } = await authority.identityOf(host);
    const isAlone = tls?.leavesOutIntermediate ?? tlsExceptions.get(host)?.intermediate !== undefined;
    return createSecureContext({ key, cert: isAlone ? cert : cert + authority.intermediate });
  }
  return createSecureServer(
    {
      SNICallback: (host, done) => void contextOf(host).then((context) => done(null, context), done),
      ...(tls?.newest && { maxVersion: tls.newest }),
      ...(isLegacy && { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    },
    listener,
  );
}

/** Where clients come in: a port of this machine. */
interface Door {
  port: number;
  /** All that there ever were, also those that were broken at once. */
  connections: readonly Socket[];
  close(): Promise<void>;
}

async function openDoor(
  server: HttpServer,
  resets: ((connection: number) => boolean) | undefined,
): Promise<Door> {
  const connections: Socket[] = [];
  const door = createServer((socket) => {
    connections.push(socket);
    if (resets?.(connections.length)) socket.once('data', () => socket.resetAndDestroy());
    else server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    port: (door.address() as AddressInfo).port,
    connections,
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}
