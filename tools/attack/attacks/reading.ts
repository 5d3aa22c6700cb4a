import type { Attack, AttackContext } from '../attack.js';
import { getText, type RawConnection, withConnections } from '../requests.js';

// Clients that ask for more than they read.

/** A range of days before the last one of the history, some days shifted so that no two are the same. */
function range({ environment }: AttackContext, days: number, shift = 0): string {
  const end = Date.parse(environment.lastDay) - shift * DAY_MS;
  const from = new Date(end - days * DAY_MS).toISOString().slice(0, 10);
  return `from=${from}&to=${new Date(end).toISOString().slice(0, 10)}`;
}

const DAY_MS = 86_400_000;
const YEAR = 365;
const SLOW_BYTES = 512;

async function readSlowly(
  context: AttackContext,
  connections: readonly RawConnection[],
  seconds: number,
): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (const connection of connections) connection.read(SLOW_BYTES);
    await context.pause(1_000);
  }
}

function slowReaders(count: number): Attack {
  return {
    name: `${count} slow readers`,
    async run(context) {
      const seconds = context.short ? 4 : 30;
      await withConnections(context.environment.url, { count, clients: count }, async (connections) => {
        for (const [index, connection] of connections.entries()) {
          connection.write(getText(`/v2/rates?${range(context, 4 * YEAR, index)}&expand=providers`));
        }
        await readSlowly(context, connections, seconds);
      });
      return `${count} clients ask for four years with their sources and read ${SLOW_BYTES} B/s, for ${seconds} s`;
    },
  };
}

export const reading: readonly Attack[] = [
  {
    name: 'pipelining, 544 bytes',
    async run(context) {
      const rounds = context.short ? 2 : 5;
      for (let round = 0; round < rounds; round++) {
        await withConnections(context.environment.url, { count: 1, clients: 1 }, async ([connection]) => {
          // Each is one of 68 bytes, as in the report.
          connection?.write(getText('/v2/rates?from=2025-06-01&expand=providers').repeat(8));
          await context.pause(context.short ? 2_000 : 6_000);
        });
      }
      return `eight pipelined ranges with sources on one connection, closed unread; ${rounds} times`;
    },
  },
  {
    name: 'pipelining, 51 KB',
    async run(context) {
      const seconds = context.short ? 4 : 20;
      const text = getText('/v2/rates?from=2020-01-01');
      const times = Math.floor(51_000 / text.length);
      await withConnections(context.environment.url, { count: 3, clients: 1 }, async (connections) => {
        for (const connection of connections) connection.write(text.repeat(times));
        await context.pause(seconds * 1_000);
      });
      return `three connections with ${times} pipelined ranges each, unread for ${seconds} s`;
    },
  },
  slowReaders(4),
  slowReaders(40),
  {
    name: 'unread responses',
    async run(context) {
      const seconds = context.short ? 4 : 20;
      const count = 200;
      const clients = 50;
      await withConnections(context.environment.url, { count, clients }, async (connections) => {
        for (const [index, connection] of connections.entries()) {
          connection.write(getText(`/v2/rates.csv?${range(context, 25 * YEAR, index)}`));
        }
        await context.pause(seconds * 1_000);
      });
      return `${count} connections of ${clients} clients ask for the whole history and read nothing for ${seconds} s`;
    },
  },
  {
    name: 'abandoned work',
    async run(context) {
      const count = 20;
      const seconds = context.short ? 4 : 20;
      await withConnections(context.environment.url, { count, clients: 5 }, async (connections) => {
        for (const [index, connection] of connections.entries()) {
          const group = index % 2 === 0 ? 'group=week' : 'group=month';
          const sources = index % 3 === 0 ? 'providers=ECB,BOC,NBP,CNB,BNR,HNB,NBU,FRED' : 'expand=providers';
          connection.write(getText(`/v2/rates?${range(context, 25 * YEAR, index)}&${group}&${sources}`));
        }
        await context.pause(1_000);
      });
      await context.pause(seconds * 1_000);
      return `${count} expensive requests of five clients, closed at once after a second; then ${seconds} s`;
    },
  },
  {
    name: 'expensive requests',
    async run(context) {
      const count = 20;
      const seconds = context.short ? 4 : 20;
      await withConnections(context.environment.url, { count, clients: count }, async (connections) => {
        for (const [index, connection] of connections.entries()) {
          connection.write(
            getText(`/v2/rates?${range(context, 5 * YEAR - 2, index)}&expand=providers&base=JPY`),
          );
          connection.socket.on('data', () => undefined).resume();
        }
        await context.pause(seconds * 1_000);
      });
      return `${count} clients ask for five years with their sources, and read as fast as they can, for ${seconds} s`;
    },
  },
];
