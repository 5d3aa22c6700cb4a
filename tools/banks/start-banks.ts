import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../core/domain/dates.js';
import { splitCookies } from '../../worker/feeds/http/cookies.js';
import type { HttpClientOptions } from '../../worker/feeds/http/live-client.js';
import {
  type RecordedAnswer,
  type Recording,
  recordedAnswers,
} from '../../worker/feeds/http/recorded-client.js';
import { createAuthority } from './authority.js';
import { type Behaviour, made, type Reply, sendWhole } from './behaviour.js';
import { type Door, type DoorKind, doorKindOf, openDoor } from './doors.js';

/** Banks that are served on this machine under their own names. */
export interface Banks {
  /** What a client needs to reach them: where they are, and what is trusted. */
  client: Required<Pick<HttpClientOptions, 'address' | 'tls'>>;
  /** The port at which each origin, such as `https://bank.example`, is reached. */
  ports: ReadonlyMap<string, number>;
  /** Breaks all connections. Throws what a bank could not answer. */
  close(): Promise<void>;
}

interface StartOptions {
  recordings: readonly Recording[];
  behaviour?: Behaviour;
  clock?: Clock;
}

/** Serves banks from their recordings, over HTTPS and plain HTTP as they were recorded. */
export async function startBanks({
  recordings,
  behaviour = {},
  clock = systemClock,
}: StartOptions): Promise<Banks> {
  const authority = await createAuthority();
  const urls = recordings.flatMap(({ interactions }) => interactions.map(({ url }) => new URL(url)));
  const answer = answering(recordings, behaviour, clock);
  const faults: unknown[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
      faults.push(error);
      response.destroy();
    });
  };
  const doors = new Map<DoorKind, Door>();
  for (const kind of new Set(urls.map(doorKindOf)))
    doors.set(kind, await openDoor(kind, { listener, authority, behaviour }));
  const ports = new Map(urls.map((url) => [url.origin, doors.get(doorKindOf(url))?.port ?? 0]));
  return {
    client: {
      address(origin) {
        const port = ports.get(origin);
        if (port === undefined) throw Object.assign(new Error(`no bank is ${origin}`), { code: 'ENOTFOUND' });
        return { hostname: '127.0.0.1', port: String(port) };
      },
      tls: authority.trust,
    },
    ports,
    async close() {
      await Promise.all([...doors.values()].map((door) => door.close()));
      if (faults.length > 0) throw new AggregateError(faults, 'a bank could not answer');
    },
  };
}

const UNKNOWN = made(421, 'nothing was recorded for this request');

function answering(
  recordings: readonly Recording[],
  { reply = ({ recorded }) => recorded(), send = sendWhole }: Behaviour,
  clock: Clock,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const find = recordedAnswers(recordings);
  const visits = new Map<string, { count: number; first: number }>();
  return async (request, response) => {
    const { method = '', url: path = '', headers, socket } = request;
    const { host = '' } = headers;
    const now = clock().getTime();
    const visit = visits.get(host) ?? { count: 0, first: now };
    visits.set(host, visit);
    const count = ++visit.count;
    const body = (await buffer(request)).toString();
    const recorded = async () => {
      const found = find({
        method,
        url: `${'encrypted' in socket ? 'https' : 'http'}://${host}${path}`,
        body,
      });
      return found ? replyOf(found) : UNKNOWN;
    };
    await send(await reply({ path, headers, count, elapsed: now - visit.first, recorded }), response);
  };
}

/** Headers that belong to the connection over which a response was recorded. */
const OF_THE_CONNECTION = new Set(['connection', 'content-encoding', 'content-length', 'transfer-encoding']);

function replyOf({ interaction }: RecordedAnswer): Reply {
  const headers = Object.entries(interaction.responseHeaders).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (OF_THE_CONNECTION.has(lower)) return [];
    return [[lower, lower === 'set-cookie' ? splitCookies(value) : value] as const];
  });
  return {
    status: interaction.status,
    headers: Object.fromEntries(headers),
    body: interaction.body,
  };
}
