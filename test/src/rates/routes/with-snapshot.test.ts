import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import type { DeferredReply } from '../../../../src/http/reply.js';
import {
  replyOfSnapshot,
  requireSnapshot,
  withSnapshot,
} from '../../../../src/rates/routes/with-snapshot.js';
import type { Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { SnapshotOutdated } from '../../../../src/rates/sources/raw-store.js';
import { snapshotOf } from '../sources/in-memory.js';

/** A holder that has the next snapshot each time it catches up. */
function holderOf(catchUp: () => Promise<void> = async () => {}) {
  let version = 1;
  return {
    current: (): Snapshot => ({ ...snapshotOf([]), version: String(version) }),
    async catchUp() {
      await catchUp();
      version++;
    },
  };
}

const outdated = () => Promise.reject(new SnapshotOutdated('outdated'));
const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('work with the newest snapshot', () => {
  it('is done once where nothing is in its way', async () => {
    const seen: string[] = [];
    const done = await withSnapshot(holderOf(), async ({ version }) => seen.push(version));
    expect([done, seen]).toEqual([1, ['1']]);
  });

  it('is done again with a newer one, five times in all, where the database has moved on', async () => {
    const seen: string[] = [];
    const until = (last: string) =>
      withSnapshot(holderOf(), ({ version }) => {
        seen.push(version);
        return version === last ? Promise.resolve(version) : outdated();
      });
    expect(await until('5')).toBe('5');
    seen.length = 0;
    expect(await failure(until('6'))).toMatchObject({
      status: 503,
      message: 'the rates are changing right now',
      headers: { 'retry-after': '1' },
      cause: expect.any(SnapshotOutdated),
    });
    expect(seen).toEqual(['1', '2', '3', '4', '5']);
  });

  it('is not done again after any other error', async () => {
    let times = 0;
    const failing = (error: Error) =>
      withSnapshot(holderOf(), () => {
        times++;
        return Promise.reject(error);
      });
    expect(await failure(failing(unreachable))).toMatchObject({ status: 503, cause: unreachable });
    const fault = new Error('a fault');
    expect(await failure(failing(fault))).toBe(fault);
    expect(times).toBe(2);
  });

  it('is a 503 where the database can not be reached to catch up, or says nothing for long', async () => {
    const lost = holderOf(() => Promise.reject(unreachable));
    expect(await failure(withSnapshot(lost, outdated))).toMatchObject({ status: 503, cause: unreachable });
    const silent = holderOf(() => new Promise(() => {}));
    expect(await failure(withSnapshot(silent, outdated))).toMatchObject({
      status: 503,
      message: 'the rates are changing right now',
      cause: expect.objectContaining({ message: 'catching up took longer than 2000 ms' }),
    });
  });

  it('is a 503 before the first one is read', async () => {
    const expected = {
      status: 503,
      message: 'the first rates are being loaded',
      headers: { 'retry-after': '2' },
    };
    const holder = { current: () => undefined, catchUp: async () => {} };
    expect(() => requireSnapshot(holder)).toThrow(expect.objectContaining(expected));
    const error = await failure(withSnapshot(holder, async () => {}));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject(expected);
  });
});

describe('a reply of one snapshot', () => {
  const replyAt = (version: string, make = async () => {}): DeferredReply => {
    const reply = { validity: { tag: version, cacheControl: 'no-store' }, dataVersion: version };
    return {
      ...reply,
      async make() {
        await make();
        return reply;
      },
    };
  };

  it('is begun once, and made of the snapshot that it was begun with', async () => {
    const holder = holderOf();
    const begun: string[] = [];
    const reply = await replyOfSnapshot(holder, ({ version }) => {
      begun.push(version);
      return replyAt(version);
    });
    await holder.catchUp();
    expect([reply.validity.tag, (await reply.make()).validity.tag, begun]).toEqual(['1', '1', ['1']]);
  });

  it('is begun again with a newer one, tag and all, where the database has moved on', async () => {
    const begin = async ({ version }: Snapshot) =>
      version === '1' ? outdated() : replyAt(version, version === '2' ? outdated : undefined);
    const reply = await replyOfSnapshot(holderOf(), begin);
    expect(reply).toMatchObject({ validity: { tag: '2' }, dataVersion: '2' });
    expect(await reply.make()).toMatchObject({ validity: { tag: '3' }, dataVersion: '3' });
  });

  it('is a 503 where the database can not be reached', async () => {
    const reply = await replyOfSnapshot(holderOf(), () => replyAt('1', () => Promise.reject(unreachable)));
    expect(await failure(Promise.resolve(reply.make()))).toMatchObject({ status: 503, cause: unreachable });
  });
});
