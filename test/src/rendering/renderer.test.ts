import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { createAdmission } from '../../../src/http/admission.js';
import type { Exchange } from '../../../src/http/exchange.js';
import type { Content, Task } from '../../../src/http/reply.js';
import type { MakerContext } from '../../../src/rendering/database-context.js';
import type { RenderThreads } from '../../../src/rendering/render-threads.js';
import { openRenderer } from '../../../src/rendering/renderer.js';
import { exchangeOf } from '../http/support.js';

const MEBIBYTE = 1024 * 1024;
const SHORT = { rows: 1, rawDays: 0 };
const LONG = { rows: 1, rawDays: 1 };

/** What makers do in a test: revisions and suspects need nothing but one function each. */
const readRevisions = vi.fn<MakerContext['readRevisions']>();
const readSuspects = vi.fn<MakerContext['readSuspects']>();
const exchanges: Exchange[] = [];
afterEach(() => {
  vi.resetAllMocks();
  for (const exchange of exchanges.splice(0)) exchange.end('finished');
});

function openOn({ threads }: { threads?: RenderThreads } = {}) {
  const makerContext = { readRevisions, readSuspects } as unknown as MakerContext;
  return openRenderer({
    admission: createAdmission({ bufferedBytes: 4 * 1024 * 1024 }),
    threads,
    makerContext,
  });
}

const clientOf = (name: string): Exchange => {
  const exchange = exchangeOf(name);
  exchanges.push(exchange);
  return exchange;
};

const task = (given: Partial<Task> = {}): Task => ({
  maker: 'revisions',
  input: { filter: {}, limit: 1, format: 'json' },
  snapshot: undefined,
  validity: { cacheControl: 'no-store' },
  cost: SHORT,
  ...given,
});

/** Threads whose every content is what `make` gives. */
const threadsOf = (make: RenderThreads['make']): RenderThreads => ({ make, close: async () => {} });
const content = (body: Content['body'] = '[]'): Content => ({ type: 'text/plain', body });

it('the errors of makers are thrown', async () => {
  const make = openOn();
  // It finds no snapshot.
  await expect(make(task({ maker: 'currency-names', input: {} }), clientOf('a'))).rejects.toThrow(TypeError);
  await expect(make(task({ maker: 'none' }), clientOf('a'))).rejects.toThrow('no maker has the name none');
});

it('a content waits for room, and clients come round', async () => {
  const make = openOn();
  const order: string[] = [];
  readRevisions.mockResolvedValue([]);
  const large = { ...SHORT, wholeBytes: MEBIBYTE };
  const begun = ['a', 'b', 'c', 'd'].map(clientOf);
  await Promise.all(begun.map((client) => make(task({ cost: large }), client)));
  const asked = ['e', 'e', 'f'].map(async (name, index) => {
    const client = clientOf(name);
    await make(task({ cost: large }), client);
    order.push(`${name}${index}`);
    return client;
  });
  await setImmediate();
  expect([order, readRevisions.mock.calls.length]).toEqual([[], 4]);
  for (const [at, expected] of [['e0'], ['e0', 'f2']].entries()) {
    begun[at]?.end('finished');
    await vi.waitFor(() => expect(order).toEqual(expected));
  }
  (await asked[0])?.end('finished');
  await Promise.all(asked);
});

it('what takes long is made by the threads, if there are any', async () => {
  const made = content();
  const make = vi.fn<RenderThreads['make']>(async () => made);
  const render = openOn({ threads: threadsOf(make) });
  const client = clientOf('a');
  readRevisions.mockResolvedValue([]);
  expect(await render(task(), client)).not.toBe(made);
  expect(make).not.toHaveBeenCalled();
  for (const cost of [LONG, { ...SHORT, reads: true }, { ...SHORT, rows: 20_000 }]) {
    const long = task({ cost });
    expect(await render(long, client)).toBe(made);
    expect(make).toHaveBeenLastCalledWith(long, client);
  }
  expect(readRevisions).toHaveBeenCalledTimes(1);
});

it.each([LONG, SHORT])('an unreachable database is a 503: %j', async (cost) => {
  const make = openOn();
  const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  readRevisions.mockRejectedValue(error);
  await expect(make(task({ cost }), clientOf('a'))).rejects.toMatchObject({ status: 503, cause: error });
  readRevisions.mockRejectedValue(new TypeError('a mistake'));
  await expect(make(task({ cost }), clientOf('a'))).rejects.toThrow(TypeError);
});

it('work ends when its client has left', async () => {
  const over = vi.fn();
  const make = vi.fn<RenderThreads['make']>(
    (_, waiter) =>
      new Promise((_resolve, reject) => {
        waiter.whenOver(over);
        waiter.signal.addEventListener('abort', () => reject(waiter.signal.reason));
      }),
  );
  const render = openOn({ threads: threadsOf(make) });
  const client = clientOf('a');
  const ended = Promise.allSettled([render(task({ cost: LONG }), client)]);
  await vi.waitFor(() => expect(make).toHaveBeenCalledTimes(1));
  expect(over).not.toHaveBeenCalled();
  client.end('aborted');
  await setImmediate();
  expect(over).toHaveBeenCalledTimes(1);
  expect(await ended).toMatchObject([{ reason: { name: 'AbortError' } }]);
});
