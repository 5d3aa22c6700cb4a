import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createEventLoop, type YieldNow } from '../../../core/concurrency/event-loop.js';
import { WaitTooLong } from '../../../core/concurrency/semaphore.js';

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Works for a number of steps, and notes each with its name. */
async function compute(name: string, steps: number, yieldNow: YieldNow, order: string[]): Promise<void> {
  await yieldNow();
  for (let step = 0; step < steps; step++) {
    order.push(name);
    work(5);
    await yieldNow();
  }
}

// These two measure time, which a busy machine can take away from one run.
it('gives clients turns, however many computations one of them has', { retry: 3 }, async () => {
  const loop = createEventLoop();
  const order: string[] = [];
  await Promise.all(['a', 'a', 'a', 'b'].map((one) => compute(one, 4, loop.createYielder(one), order)));
  // All begin at once; from then on every other turn is that of `b`.
  expect(order.slice(4, 10).filter((name) => name === 'b')).toHaveLength(3);
});

it('leaves most of the time to short requests while they come in', { retry: 3 }, async () => {
  const loop = createEventLoop();
  let requests = 0;
  let isOver = false;
  const serve = async () => {
    for (; !isOver; requests++) {
      loop.noteRequest(performance.now());
      work(0.5);
      await nextIteration();
    }
  };
  const serving = serve();
  const order: string[] = [];
  await Promise.all(['a', 'b'].map((client) => compute(client, 15, loop.createYielder(client), order)));
  isOver = true;
  await serving;
  // Without rests, one or two of them come between two steps, however long these take on a busy machine.
  expect(requests).toBeGreaterThan(3 * order.length);
});

it('lets in connections that come together, one in each iteration of the loop', { retry: 3 }, async () => {
  const loop = createEventLoop();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stopping = new AbortController();
  const order: string[] = [];
  const computing = compute('a', 1_000, loop.createYielder('a', stopping), order);
  const accepted = new Promise<number>((resolve) => {
    let count = 0;
    server.on('connection', (socket) => {
      loop.noteRequest(performance.now());
      socket.destroy();
      if (++count === 40) resolve(order.length);
    });
  });
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  // Without rests every connection waits for one more step.
  expect(await accepted).toBeLessThan(25);
  stopping.abort();
  await expect(computing).rejects.toBe(stopping.signal.reason);
  for (const client of clients) client.destroy();
  server.close();
});

it('finishes computations that have begun before it begins many others', async () => {
  const loop = createEventLoop();
  let underWay = 0;
  let most = 0;
  const computation = async (client: string) => {
    const yieldNow = loop.createYielder(client);
    await yieldNow('long step');
    most = Math.max(most, ++underWay);
    for (let step = 0; step < 5; step++) await yieldNow('long step');
    underWay--;
  };
  await Promise.all(Array.from({ length: 100 }, (_, number) => computation(`client ${number}`)));
  // Each takes five turns more, and one of eight is that of a new one.
  expect(most).toBeLessThan(5);
});

it('begins new computations beside endless ones', async () => {
  const loop = createEventLoop();
  const stopping = new AbortController();
  const endless = async () => {
    const yieldNow = loop.createYielder('endless', stopping);
    for (;;) await yieldNow('long step');
  };
  const all = Promise.allSettled([endless(), endless()]);
  await nextIteration();
  await nextIteration();
  await loop.createYielder('new')('long step');
  stopping.abort();
  expect(await all).toMatchObject(Array(2).fill({ reason: stopping.signal.reason }));
});

it('refuses a computation whose first turn does not come while its wait budget lasts, and no later turn', async () => {
  const loop = createEventLoop();
  const busy = async () => {
    const yieldNow = loop.createYielder('busy');
    for (let step = 0; step < 40; step++) {
      await yieldNow('long step');
      work(5);
    }
  };
  const waitBudget = { leftMs: 10 };
  const begun = loop.createYielder('begun', { waitBudget });
  await begun('long step');
  const working = busy();
  // Of eight turns one is for those that have not begun, and the first of these takes it.
  const others = Array.from({ length: 4 }, () => loop.createYielder('other')('long step'));
  const late = loop.createYielder('other', { waitBudget })('long step');
  await expect(late).rejects.toThrow(WaitTooLong);
  expect(waitBudget.leftMs).toBeLessThan(2);
  await begun('long step');
  await Promise.all([working, ...others]);
});

it('ends a computation whose signal has aborted', async () => {
  const loop = createEventLoop();
  const leaving = new AbortController();
  const order: string[] = [];
  const computing = compute('a', 1_000, loop.createYielder('a', leaving), order);
  await nextIteration();
  leaving.abort();
  await expect(computing).rejects.toBe(leaving.signal.reason);
  expect(order.length).toBeLessThan(10);
});

it('runs one slice in an iteration of the loop, whichever callback the first one began in', async () => {
  const loop = createEventLoop();
  const yieldNow = loop.createYielder('a');
  const events: string[] = [];
  const slices = async () => {
    for (const slice of ['first', 'second', 'third']) {
      events.push(slice);
      await yieldNow('long step');
    }
  };
  // A timer runs before the immediates of its iteration.
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      setImmediate(() => {
        setImmediate(() => events.push('next iteration'));
      });
      void slices().then(resolve);
    });
  });
  expect(events).toEqual(['first', 'next iteration', 'second', 'third']);
});
