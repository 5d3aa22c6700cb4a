import { describe, expect, it } from 'vitest';
import { openSharedBodies, type WholeBody } from '../../../../src/rates/engine/shared-bodies.js';

function openOn(entries = new Map<string, Uint8Array>()) {
  const lifetimes: number[] = [];
  const shares: (number | undefined)[] = [];
  const bodies = openSharedBodies({
    get: async (key) => entries.get(key),
    async set(key, value, seconds, share) {
      entries.set(key, value);
      lifetimes.push(seconds);
      shares.push(share);
    },
  });
  return { bodies, entries, lifetimes, shares };
}

const { signal } = new AbortController();
const never = () => Promise.reject(new Error('made again'));
const bodyOf = (text: string, asOf?: number): WholeBody => ({ body: Buffer.from(text), asOf });

describe('shared bodies', () => {
  it.each([0, 20_500, -20_500, undefined])(
    'are those that were made, with the day %s that they were looked for up to, also in another process',
    async (asOf) => {
      const { bodies, entries, lifetimes, shares } = openOn();
      const made = await bodies.get('tag', async () => bodyOf('[1]', asOf), signal);
      expect(made).toEqual(bodyOf('[1]', asOf));
      const other = openOn(entries);
      expect(await other.bodies.get('tag', never, signal)).toEqual(bodyOf('[1]', asOf));
      expect(lifetimes).toEqual([3_600]);
      expect(shares).toEqual([1 / 2]);
      expect(other.lifetimes).toEqual([]);
    },
  );

  it('are found by their tags alone, apart from what else the cache holds', async () => {
    const { bodies, entries } = openOn(new Map([['tag', Buffer.from('of another part')]]));
    await bodies.get('tag', async () => bodyOf('[1]'), signal);
    expect((await bodies.get('other', async () => bodyOf('[2]'), signal)).body.toString()).toBe('[2]');
    expect([...entries.keys()]).toEqual(['tag', 'rates:tag', 'rates:other']);
  });

  it('are read as they are in a view of a larger buffer', async () => {
    const { bodies, entries } = openOn();
    await bodies.get('tag', async () => bodyOf('[1]', 7), signal);
    const packed = Buffer.from(entries.get('rates:tag') ?? []);
    const around = Buffer.concat([Buffer.from('before'), packed, Buffer.from('behind')]);
    entries.set('rates:tag', around.subarray(6, 6 + packed.length));
    expect(await bodies.get('tag', never, signal)).toEqual(bodyOf('[1]', 7));
  });

  it('are made once for all who ask at the same time, until the last of them has left', async () => {
    const { bodies } = openOn();
    const leaving = [new AbortController(), new AbortController()];
    let made = 0;
    let abandoned: AbortSignal | undefined;
    const waiting = leaving.map((controller) =>
      bodies.get(
        'tag',
        (given) => {
          made++;
          abandoned = given;
          return new Promise(() => {});
        },
        controller.signal,
      ),
    );
    const ended = Promise.allSettled(waiting);
    await new Promise((resolve) => setImmediate(resolve));
    leaving[0]?.abort();
    expect([made, abandoned?.aborted]).toEqual([1, false]);
    leaving[1]?.abort();
    expect(abandoned?.aborted).toBe(true);
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
