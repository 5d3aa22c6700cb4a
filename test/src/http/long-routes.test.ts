import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { uncachedJson } from '../../../src/http/reply.js';
import { defineRoute, type Route } from '../../../src/http/route.js';
import { serve } from '../utilities/support.js';

const MILLISECONDS = 10;
const COUNT = 20;

const busy = defineRoute({
  method: 'get',
  path: '/busy',
  isLong: true,
  handle() {
    for (const end = performance.now() + MILLISECONDS; performance.now() < end; );
    return uncachedJson({});
  },
});
const quick = defineRoute({ method: 'get', path: '/quick', handle: () => uncachedJson({}) });

/** The place of a quick response among those to busy requests that came before it. */
async function placeOfQuick(routes: readonly Route[]): Promise<number> {
  const { url, close } = await serve(routes);
  const { hostname, port } = new URL(url);
  const order: string[] = [];
  const sockets = Array.from({ length: COUNT + 1 }, () => connect(Number(port), hostname));
  try {
    const ask = async (socket: Socket, path: string) => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: almanac\r\n\r\n`);
      await once(socket, 'data');
    };
    // The server accepts one connection in an iteration of its loop.
    await Promise.all(sockets.map((socket) => ask(socket, '/quick')));
    const responses = sockets.map(async (socket, index) => {
      const path = index < COUNT ? '/busy' : '/quick';
      await ask(socket, path);
      order.push(path);
    });
    await Promise.all(responses);
  } finally {
    for (const socket of sockets) socket.destroy();
    await close();
  }
  return order.indexOf('/quick');
}

it('a quick request goes before long ones that came earlier', async () => {
  expect(await placeOfQuick([{ ...busy, isLong: undefined } as unknown as Route, quick])).toBe(COUNT);
  expect(await placeOfQuick([busy, quick])).toBeLessThan(COUNT / 2);
});
