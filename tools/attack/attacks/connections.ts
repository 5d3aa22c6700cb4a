import type { Socket } from 'node:net';
import { constants, createGzip } from 'node:zlib';
import type { Attack, AttackContext } from '../attack.js';
import { openConnection, withConnections } from '../requests.js';
import { tally } from '../tally.js';
import { range, YEAR } from './ranges.js';

/** Clients that send much, little or nothing over many connections, and read as little of the responses. */
interface Crowd {
  name: string;
  /** In words, for the table. */
  does: string;
  connections: number;
  clients: number;
  /** How long it lasts in the short form and in the long one. */
  seconds: readonly [short: number, long: number];
  /** What is sent on each connection, one byte a character. */
  sends?(index: number, context: AttackContext): string;
  /** What is sent every second after that. */
  trickles?: string;
  /** How many bytes are read every second. All are read as they come where something trickles. */
  reads?: number;
  /** Closes the connections after a second, and waits for the others. */
  leaves?: true;
  /** Where the service closes such connections within the long form. */
  isCut?: true;
}

const INFLATED = 1_900_000;

export function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: attack\r\n\r\n`;
}

/** The head of a request whose body is not over, with the beginning of that. */
function post(path: string, headers: string, begin: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: attack\r\n${headers}\r\n\r\n${begin}`;
}

/** The beginning of a compressed text of almost two megabytes, of which nobody sends the end. */
async function unfinished(): Promise<string> {
  const gzip = createGzip();
  gzip.write(Buffer.alloc(INFLATED, ' '));
  await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
  const body: Buffer = gzip.read();
  return `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`;
}
const UNFINISHED = await unfinished();
const FLOOD = Array.from({ length: 20_000 }, (_, index) => `h${index}: x\r\n`).join('');

const CROWDS: readonly Crowd[] = [
  {
    name: 'pipelining',
    does: 'three connections with 300 pipelined ranges each, every third with its sources, unread',
    connections: 3,
    clients: 1,
    seconds: [4, 20],
    sends: () => {
      const plain = get('/v2/rates?from=2020-01-01');
      return `${get('/v2/rates?from=2025-06-01&expand=providers')}${plain}${plain}`.repeat(100);
    },
  },
  {
    name: 'slow readers',
    does: '40 clients ask for four years with their sources and read 512 B/s',
    connections: 40,
    clients: 40,
    seconds: [4, 30],
    sends: (index, context) => get(`/v2/rates?${range(context, 4 * YEAR, index)}&expand=providers`),
    reads: 512,
  },
  {
    name: 'unread responses',
    does: '200 connections of 50 clients ask for the whole history and read nothing',
    connections: 200,
    clients: 50,
    seconds: [4, 20],
    sends: (index, context) => get(`/v2/rates.csv?${range(context, 25 * YEAR, index)}`),
  },
  {
    name: 'abandoned work',
    does: '20 expensive requests of five clients, closed after a second',
    connections: 20,
    clients: 5,
    seconds: [5, 21],
    sends: (index, context) => {
      const group = index % 2 === 0 ? 'group=week' : 'group=month';
      const sources = index % 3 === 0 ? 'providers=ECB,BOC,NBP,CNB,BNR,HNB,NBU,FRED' : 'expand=providers';
      return get(`/v2/rates?${range(context, 25 * YEAR, index)}&${group}&${sources}`);
    },
    leaves: true,
  },
  {
    name: 'expensive requests',
    does: '20 clients ask for five years with their sources, and read as fast as they can',
    connections: 20,
    clients: 20,
    seconds: [4, 20],
    sends: (index, context) =>
      get(`/v2/rates?${range(context, 5 * YEAR - 2, index)}&expand=providers&base=JPY`),
    reads: Number.POSITIVE_INFINITY,
  },
  {
    name: 'header floods',
    does: '150 requests with up to 20,000 headers or 256 KB of them',
    connections: 150,
    clients: 3,
    seconds: [2, 10],
    sends: (index) => {
      const headers = [FLOOD, `x-long: ${'a'.repeat(262_144)}\r\n`, 'a: b\r\n'.repeat(15_000)][index % 3];
      return `GET /v2/rates HTTP/1.1\r\nhost: attack\r\n${headers}\r\n`;
    },
    reads: Number.POSITIVE_INFINITY,
  },
  {
    name: 'half-open connections',
    does: '1000 connections of 20 clients on which nothing comes',
    connections: 1_000,
    clients: 20,
    seconds: [5, 20],
  },
  {
    name: 'slow heads',
    does: '200 requests whose heads come at 1 B/s',
    connections: 200,
    clients: 10,
    // Ten seconds are given, and looked at every five.
    seconds: [4, 25],
    sends: () => 'GET /v2/rates HTTP/1.1\r\nhost: attack\r\n',
    trickles: 'x',
    isCut: true,
  },
  {
    name: 'slow bodies',
    does: '200 requests whose bodies come at 1 B/s',
    connections: 200,
    clients: 10,
    // Thirty seconds are given for a request, and looked at every five.
    seconds: [4, 45],
    sends: () => post('/translate/text', 'content-type: application/json\r\ncontent-length: 4000', '{'),
    trickles: ' ',
    isCut: true,
  },
  {
    name: 'unfinished bodies',
    does: `250 bodies of ${UNFINISHED.length} bytes that become two megabytes and never end`,
    connections: 250,
    clients: 5,
    seconds: [4, 20],
    sends: () => {
      const headers = 'content-type: text/csv\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked';
      return post('/v2/convert', headers, UNFINISHED);
    },
  },
];

async function crowd(context: AttackContext, options: Crowd): Promise<string> {
  const { connections: count, clients, does, sends, trickles, reads = 0, leaves, isCut } = options;
  const seconds = options.seconds[context.short ? 0 : 1];
  const send = (socket: Socket, text: string) => void (socket.destroyed || socket.write(text, 'latin1'));
  const statuses: string[] = [];
  return withConnections(context.environment.url, { count, clients }, async (connections) => {
    for (const [index, socket] of connections.entries()) {
      if (sends) send(socket, sends(index, context));
      // The end of a connection is seen only by who reads what comes before it.
      if (trickles || reads === Number.POSITIVE_INFINITY) socket.on('data', () => undefined).resume();
      socket.once('data', (bytes: Buffer) => statuses.push(bytes.toString('latin1', 9, 12)));
    }
    for (let second = 0; second < seconds; second++) {
      for (const socket of connections) {
        if (trickles) send(socket, trickles);
        else if (reads > 0) socket.read(Math.min(reads, socket.readableLength));
      }
      await context.pause(1_000);
      if (leaves) for (const socket of connections) socket.destroy();
    }
    const left = connections.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
    if (isCut && !context.short && left > 0) context.fail(`${left} connections are open after ${seconds} s`);
    const faults = statuses.filter((status) => status >= '500' && status !== '503');
    if (faults.length > 0) context.fail(`${faults.length} requests got ${faults[0]}`);
    return `${does}, for ${seconds} s: ${left} still open, ${tally(statuses)}`;
  });
}

/** Connections that are closed or reset at once, half of them with a request. */
async function comeAndGo({ environment, short, pause }: AttackContext): Promise<string> {
  const rounds = short ? 10 : 50;
  for (let round = 0; round < rounds; round++) {
    const opened = await Promise.all(Array.from({ length: 100 }, () => openConnection(environment.url)));
    for (const [index, socket] of opened.entries()) {
      if (index % 2 === 0) socket.write(get('/v2/rates?from=2026-01-01&expand=providers'));
      if (index % 3 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    await pause(20);
  }
  return `${rounds * 100} connections, closed or reset at once, half of them with a request`;
}

export const connections: readonly Attack[] = [
  ...CROWDS.map((options) => ({
    name: options.name,
    run: (context: AttackContext) => crowd(context, options),
  })),
  { name: 'connections that come and go', run: comeAndGo },
];
