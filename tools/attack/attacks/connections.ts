import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, AttackContext } from '../attack.js';
import { ask, getText, openConnection, type RawConnection, withConnections } from '../requests.js';

// Clients that send much, little, or nothing.

const HEAD_LIMIT = 131_072;
/** As an error names some of what is wrong, it may be this much longer than what it is about. */
const MOST_ERROR_BYTES = 4_096;

/** Requests that are wrong in very many places. */
const FAULTY_PATHS = [
  `/v2/rates?${'a&'.repeat(60_000)}`,
  `/v2/rates?${Array.from({ length: 12_000 }, (_, index) => `p${index}=1`).join('&')}`,
  `/v2/rates?quotes=${'QQ,'.repeat(40_000)}`,
  `/v2/rates?quotes=${'XXX,'.repeat(30_000)}`,
  `/v2/rates?providers=${'NONE,'.repeat(20_000)}`,
  `/v2/currencies?${'providers=NONE&'.repeat(8_000)}`,
  `/random/hangman?exclude=${Array.from({ length: 15_000 }, (_, index) => `w${index}`).join()}`,
  `/weather/current?lat=${'9'.repeat(100_000)}&lon=x`,
  `/translate/text?to=it&text=${'%F0%9F%A6%A9'.repeat(9_000)}`,
  `/${'x'.repeat(120_000)}`,
];

async function trickle(
  context: AttackContext,
  connections: readonly RawConnection[],
  { text, seconds }: { text: string; seconds: number },
): Promise<number> {
  // The end of a connection is seen only by who reads what comes before it.
  for (const { socket } of connections) socket.resume();
  for (let second = 0; second < seconds; second++) {
    for (const connection of connections) connection.write(text);
    await context.pause(1_000);
  }
  return connections.filter(({ socket }) => !socket.destroyed && !socket.readableEnded).length;
}

export const connections: readonly Attack[] = [
  {
    name: 'amplification',
    async run(context) {
      const { url } = context.environment;
      let most = 0;
      for (const path of FAULTY_PATHS) {
        const { status, body } = await ask(url, path);
        most = Math.max(most, body.length);
        if (status < 400) context.fail(`${path.slice(0, 40)}… answers ${status}`);
        if (body.length > MOST_ERROR_BYTES) {
          context.fail(`${path.length} bytes of ${path.slice(0, 40)}… are answered by ${body.length} bytes`);
        }
      }
      await withConnections(url, { count: 80, clients: 1 }, async (connections) => {
        for (const connection of connections) connection.write(getText(FAULTY_PATHS[0] ?? ''));
        await context.pause(context.short ? 3_000 : 10_000);
      });
      return `${FAULTY_PATHS.length} requests of up to 120 KB that are wrong everywhere, then 80 unread ones; the largest answer had ${most} bytes`;
    },
  },
  {
    name: 'header floods',
    async run(context) {
      const { url } = context.environment;
      const flood = Array.from({ length: 20_000 }, (_, index) => `h${index}: x\r\n`).join('');
      const statuses = new Map<string, number>();
      for (const headers of [flood, `x-long: ${'a'.repeat(2 * HEAD_LIMIT)}\r\n`, 'a: b\r\n'.repeat(15_000)]) {
        await withConnections(url, { count: 50, clients: 1 }, async (connections) => {
          for (const connection of connections) {
            connection.write(`GET /v2/rates HTTP/1.1\r\nhost: attack\r\n${headers}\r\n`);
          }
          await Promise.all(
            connections.map(async (connection) => {
              const status = await statusOf(connection);
              statuses.set(status, (statuses.get(status) ?? 0) + 1);
            }),
          );
        });
      }
      for (const status of statuses.keys()) {
        if (!['200', '400', '431', '503', 'closed'].includes(status))
          context.fail(`a header flood got ${status}`);
      }
      return `150 requests with up to 20,000 headers or 256 KB of them: ${listed(statuses)}`;
    },
  },
  {
    name: 'half-open connections',
    async run(context) {
      const seconds = context.short ? 5 : 20;
      const count = 1_000;
      const clients = 20;
      await withConnections(context.environment.url, { count, clients }, () =>
        context.pause(seconds * 1_000),
      );
      return `${count} connections of ${clients} clients on which nothing comes for ${seconds} s`;
    },
  },
  {
    name: 'slow heads',
    async run(context) {
      const seconds = context.short ? 4 : 25;
      return withConnections(context.environment.url, { count: 200, clients: 10 }, async (connections) => {
        for (const connection of connections) connection.write('GET /v2/rates HTTP/1.1\r\nhost: attack\r\n');
        const left = await trickle(context, connections, { text: 'x', seconds });
        // Ten seconds are given, and looked at every five.
        if (!context.short && left > 0) context.fail(`${left} connections are open after ${seconds} s`);
        return `200 requests whose heads come at 1 B/s for ${seconds} s: ${left} still open`;
      });
    },
  },
  {
    name: 'slow bodies',
    async run(context) {
      const seconds = context.short ? 4 : 45;
      return withConnections(context.environment.url, { count: 200, clients: 10 }, async (connections) => {
        for (const connection of connections) {
          connection.write(
            'POST /translate/text HTTP/1.1\r\nhost: attack\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{',
          );
        }
        const left = await trickle(context, connections, { text: ' ', seconds });
        // Thirty seconds are given for a request, and looked at every five.
        if (!context.short && left > 0) context.fail(`${left} connections are open after ${seconds} s`);
        return `200 requests whose bodies come at 1 B/s for ${seconds} s: ${left} still open`;
      });
    },
  },
  {
    name: 'connections that come and go',
    async run(context) {
      const { url } = context.environment;
      const rounds = context.short ? 10 : 50;
      for (let round = 0; round < rounds; round++) {
        const opened = await Promise.all(Array.from({ length: 100 }, () => openConnection(url)));
        for (const [index, { socket }] of opened.entries()) {
          if (index % 2 === 0) socket.write(getText('/v2/rates?from=2026-01-01&expand=providers'));
          if (index % 3 === 0) socket.resetAndDestroy();
          else socket.destroy();
        }
        await context.pause(20);
      }
      return `${rounds * 100} connections, closed or reset at once, half of them with a request`;
    },
  },
];

/** The status of the response on a connection, `closed` where it ends without one. */
async function statusOf({ socket }: RawConnection): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    if (text.length < 100) text += bytes.toString('latin1');
  });
  socket.resume();
  await Promise.race([once(socket, 'close'), once(socket, 'end'), once(socket, 'data'), delay(10_000)]);
  return (
    /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? (socket.destroyed || socket.readableEnded ? 'closed' : 'nothing')
  );
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} x ${what}`).join(', ');
}
