import { describe, expect, it } from 'vitest';
import type { Content } from '../../../src/http/reply.js';
import { openSharedBodies } from '../../../src/rendering/shared-bodies.js';

function openOn(entries = new Map<string, Uint8Array>()) {
  const sets: [seconds: number, share: number | undefined][] = [];
  const bodies = openSharedBodies({
    get: async (key) => entries.get(key),
    async set(key, value, seconds, share) {
      entries.set(key, value);
      sets.push([seconds, share]);
    },
  });
  return { bodies, entries, sets };
}

const { signal } = new AbortController();
const never = () => Promise.reject(new Error('made again'));
const bodyOf = (text: string, ...headers: string[]): Content => ({
  type: 'text/plain',
  body: Buffer.from(text),
  headers,
});

describe('shared bodies', () => {
  it.each([
    ['bytes', bodyOf('[1]')],
    ['a string', { type: 'text/plain', body: '[1]' }],
    ['headers', bodyOf('', 'x-rates-as-of', '2026-03-20')],
  ])('are those that were made, also in another process: %s', async (_, content) => {
    const { bodies, entries, sets } = openOn();
    expect(await bodies('tag', async () => content, signal)).toEqual(content);
    const other = openOn(entries);
    const body = Buffer.from(content.body as Buffer);
    expect(await other.bodies('tag', never, signal)).toEqual({ ...content, body });
    expect([sets, other.sets]).toEqual([[[3_600, 1 / 2]], []]);
  });

  it('are found by their tags alone, apart from what else the cache holds', async () => {
    const { bodies, entries } = openOn(new Map([['tag', Buffer.from('of another part')]]));
    await bodies('tag', async () => bodyOf('[1]'), signal);
    expect((await bodies('other', async () => bodyOf('[2]'), signal)).body.toString()).toBe('[2]');
    expect([...entries.keys()]).toEqual(['tag', 'rates:tag', 'rates:other']);
  });

  it('are read as they are in a view of a larger buffer', async () => {
    const { bodies, entries } = openOn();
    await bodies('tag', async () => bodyOf('[1]', 'x-rates-as-of', '2026-03-20'), signal);
    const packed = Buffer.from(entries.get('rates:tag') ?? []);
    const around = Buffer.concat([Buffer.from('before'), packed, Buffer.from('behind')]);
    entries.set('rates:tag', around.subarray(6, 6 + packed.length));
    expect(await bodies('tag', never, signal)).toEqual(bodyOf('[1]', 'x-rates-as-of', '2026-03-20'));
  });

  it('are made once for all who ask at the same time, until the last of them has left', async () => {
    const { bodies } = openOn();
    const leaving = [new AbortController(), new AbortController()];
    const abandoned: AbortSignal[] = [];
    const make = (given: AbortSignal) => {
      abandoned.push(given);
      return new Promise<never>(() => {});
    };
    const ended = Promise.allSettled(leaving.map(({ signal }) => bodies('tag', make, signal)));
    await new Promise((resolve) => setImmediate(resolve));
    for (const [index, isAbandoned] of [false, true].entries()) {
      leaving[index]?.abort();
      expect(abandoned.map(({ aborted }) => aborted)).toEqual([isAbandoned]);
    }
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
