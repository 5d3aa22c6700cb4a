import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { uncachedJson } from '../../../src/http/reply.js';
import { defineRoute, type Route } from '../../../src/http/route.js';
import { serve } from '../utilities/support.js';

const MILLISECONDS = 10;
const COUNT = 20;

const busy = (isTakingTurns: boolean) =>
  defineRoute({
    method: 'get',
    path: '/busy',
    async handle(_, { yieldNow }) {
      if (isTakingTurns) await yieldNow('long step');
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
  expect(await placeOfQuick([busy(false), quick])).toBe(COUNT);
  expect(await placeOfQuick([busy(true), quick])).toBeLessThan(COUNT / 2);
});
