import { Agent, request as httpRequest } from 'node:http';
import { expect, it } from 'vitest';
import { closeServer, createApiServer, listen } from '../../../src/server.js';
import { openApp, startApi } from '../../support/api.js';
import { databaseWith, someRates } from '../../support/rates.js';

const CLIENTS = 20;

it('loses no request of a steady load while it closes', async () => {
  const database = await databaseWith(someRates('2026-03-16'));
  const api = await startApi(database);
  const server = createApiServer(openApp(api.context).handler);
  const url = new URL(await listen(server, 0, '127.0.0.1'));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ended = { answered: 0, refused: 0, lost: [] as string[] };

  /** Some answers are at hand, some are made; each client asks again as soon as it is answered. */
  const ask = (path: string) =>
    new Promise<string>((resolve) => {
      const sent = httpRequest({ agent, hostname: url.hostname, port: url.port, path }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200 ? 'answered' : 'wrong'));
        response.on('error', (error) => resolve(error.message));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end();
    });
  const client = async (number: number) => {
    for (let turn = 0; ; turn++) {
      const path = turn % 2 === 0 ? '/v2/rates' : `/v2/rates?date=2026-03-${16 + ((number + turn) % 5)}`;
      const end = await ask(path);
      if (end === 'answered') ended.answered++;
      else if (end === 'ECONNREFUSED') return void ended.refused++;
      else return void ended.lost.push(end);
    }
  };
  try {
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
    // All connections are accepted by then: the kernel resets those that wait for it when the server closes.
    await expect.poll(() => ended.answered, { interval: 10, timeout: 15_000 }).toBeGreaterThan(10 * CLIENTS);
    const started = performance.now();
    await closeServer(server);
    const took = performance.now() - started;
    await Promise.all(clients);
    expect(ended.lost).toEqual([]);
    expect(ended.refused).toBe(CLIENTS);
    expect(took).toBeLessThan(20_000);
  } finally {
    agent.destroy();
    await api.close();
    await database.close();
  }
});
