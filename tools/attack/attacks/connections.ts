import type { Socket } from 'node:net';
import { constants, gzipSync } from 'node:zlib';
import { addDays } from '../../../core/domain/dates.js';
import type { Attack, AttackContext } from '../attack.js';
import { HISTORY_ENDS } from '../environment.js';
import { openConnection, withConnections } from '../requests.js';
import { tally } from '../tally.js';

/** Clients with many connections that send and read at given rates. */
interface Crowd {
  name: string;
  /** The description for the table. */
  does: string;
  connections: number;
  clients: number;
  /** How long it lasts in the short form and in the long one. */
  seconds: readonly [short: number, long: number];
  /** What is sent on each connection, one byte a character. */
  sends(index: number): string;
  /** What is sent every second after that, to a service that closes such connections within the long form. */
  trickles?: string;
  /** How many bytes are read every second. */
  reads: number;
}

const YEAR = 365;

/** A request for a range of days before the last one, shifted so that no two ranges are the same. */
function get(format: string, days: number, shift: number, more = ''): string {
  const to = addDays(HISTORY_ENDS, -shift);
  return `GET /v2/rates${format}?from=${addDays(to, -days)}&to=${to}${more} HTTP/1.1\r\nhost: attack\r\n\r\n`;
}

/** A compressed text of almost two megabytes without its end. */
const UNFINISHED = gzipSync(Buffer.alloc(1_900_000, ' '), { finishFlush: constants.Z_SYNC_FLUSH }).toString(
  'latin1',
);

const CROWDS: readonly Crowd[] = [
  {
    name: 'slow readers',
    does: '40 clients ask for four years with their sources and read 512 B/s',
    ...{ connections: 40, clients: 40, seconds: [4, 30], reads: 512 },
    sends: (index) => get('', 4 * YEAR, index, '&expand=providers'),
  },
  {
    name: 'unread responses',
    does: '200 connections of 50 clients ask for the whole history and read nothing',
    ...{ connections: 200, clients: 50, seconds: [4, 20], reads: 0 },
    sends: (index) => get('.csv', 25 * YEAR, index),
  },
  {
    name: 'expensive requests',
    does: '20 clients ask for five years with their sources, and read as fast as they can',
    ...{ connections: 20, clients: 20, seconds: [4, 20], reads: Number.POSITIVE_INFINITY },
    sends: (index) => get('', 5 * YEAR - 2, index, '&expand=providers&base=JPY'),
  },
  {
    name: 'slow bodies',
    does: '200 requests whose bodies come at 1 B/s',
    // Thirty seconds are given for a request, and looked at every five.
    ...{ connections: 200, clients: 10, seconds: [4, 45], trickles: ' ', reads: Number.POSITIVE_INFINITY },
    sends: () =>
      'POST /translate/text HTTP/1.1\r\nhost: attack\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{',
  },
  {
    name: 'unfinished bodies',
    does: `250 bodies of ${UNFINISHED.length} bytes that become two megabytes and never end`,
    ...{ connections: 250, clients: 5, seconds: [4, 20], reads: 0 },
    sends: () =>
      `POST /v2/convert HTTP/1.1\r\nhost: attack\r\ncontent-type: text/csv\r\ncontent-encoding: gzip\r\ncontent-length: 4000\r\n\r\n${UNFINISHED}`,
  },
];

async function crowd(context: AttackContext, options: Crowd): Promise<string> {
  const { connections: count, clients, does, sends, trickles, reads } = options;
  const { environment, short, fail, pause } = context;
  const seconds = options.seconds[short ? 0 : 1];
  const statuses: string[] = [];
  const send = (socket: Socket, text: string) => void (socket.destroyed || socket.write(text, 'latin1'));
  return withConnections(environment.url, { count, clients }, async (connections) => {
    for (const [index, socket] of connections.entries()) {
      send(socket, sends(index));
      socket.once('data', (bytes: Buffer) => statuses.push(bytes.toString('latin1', 9, 12)));
      // The end of a connection is seen only by who reads what comes before it.
      if (reads === Number.POSITIVE_INFINITY) socket.on('data', () => undefined).resume();
    }
    for (let second = 0; second < seconds; second++) {
      for (const socket of connections) {
        if (trickles) send(socket, trickles);
        else if (reads > 0) socket.read(Math.min(reads, socket.readableLength));
      }
      await pause(1_000);
    }
    const left = connections.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
    if (trickles && !short && left > 0) fail(`${left} connections are open after ${seconds} s`);
    const failed = statuses.filter((status) => status >= '500' && status !== '503');
    if (failed.length > 0) fail(`responses failed: ${tally(failed)}`);
    return `${does}, for ${seconds} s: ${left} still open, responses: ${tally(statuses) || 'none'}`;
  });
}

async function comeAndGo(context: AttackContext): Promise<string> {
  const rounds = context.short ? 10 : 50;
  for (let round = 0; round < rounds; round++) {
    const { url } = context.environment;
    const opened = await Promise.all(Array.from({ length: 100 }, () => openConnection(url)));
    for (const [index, socket] of opened.entries()) {
      if (index % 2 === 0) socket.write(get('', 70, 0, '&expand=providers'));
      if (index % 3 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    await context.pause(20);
  }
  return `${rounds * 100} connections, closed or reset at once, half of them with a request`;
}

export const connections: readonly Attack[] = [
  ...CROWDS.map((each): Attack => ({ name: each.name, run: (context) => crowd(context, each) })),
  { name: 'connections that come and go', run: comeAndGo },
];
