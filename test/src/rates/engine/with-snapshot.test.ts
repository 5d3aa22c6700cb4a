import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import type { Content } from '../../../../src/http/reply.js';
import { createAnswer } from '../../../../src/rates/engine/answer.js';
import { resolveRequest } from '../../../../src/rates/engine/request.js';
import { asUnavailable, requireSnapshot, withSnapshot } from '../../../../src/rates/engine/with-snapshot.js';
import type { Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { SnapshotOutdated } from '../../../../src/rates/sources/raw-store.js';
import { snapshotOf, storeOf } from '../sources/in-memory.js';

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

const CHANGING = 'the rates are changing right now';
const outdated = () => Promise.reject(new SnapshotOutdated('outdated'));
const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe('work with the newest snapshot', () => {
  it('is done again with a newer one, five times in all, where the database has moved on', async () => {
    const seen: string[] = [];
    const until = (last: string) =>
      withSnapshot(holderOf(), ({ version }) => {
        seen.push(version);
        return version === last ? Promise.resolve(version) : outdated();
      });
    expect(await until('5')).toBe('5');
    const cause = expect.any(SnapshotOutdated);
    const headers = { 'retry-after': '1' };
    expect(await failure(until('6'))).toMatchObject({ status: 503, message: CHANGING, headers, cause });
    expect(seen.slice(5)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('is not done again after any other error', async () => {
    let times = 0;
    const failing = (error: Error) => {
      const work = () => {
        times++;
        return Promise.reject(error);
      };
      return failure(withSnapshot(holderOf(), work));
    };
    expect(await failing(unreachable)).toMatchObject({ status: 503, cause: unreachable });
    const fault = new Error('a fault');
    expect(await failing(fault)).toBe(fault);
    expect(times).toBe(2);
  });

  it('is a 503 where the database can not be reached to catch up, or says nothing for long', async () => {
    const lost = holderOf(() => Promise.reject(unreachable));
    expect(await failure(withSnapshot(lost, outdated))).toMatchObject({ status: 503, cause: unreachable });
    const silent = holderOf(() => new Promise(() => {}));
    const cause = expect.objectContaining({ message: 'catching up took longer than 2000 ms' });
    const error = await failure(withSnapshot(silent, outdated));
    expect(error).toMatchObject({ status: 503, message: CHANGING, cause });
  });

  it('is a 503 before the first one is read', async () => {
    const headers = { 'retry-after': '2' };
    const expected = { status: 503, message: 'the first rates are being loaded', headers };
    const holder = { current: () => undefined, catchUp: async () => {} };
    expect(() => requireSnapshot(holder)).toThrow(expect.objectContaining(expected));
    const error = await failure(withSnapshot(holder, async () => {}));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject(expected);
  });
});

it('an error of a read is a 503 that says when to come back where the database can not be reached, and else stays what it is', () => {
  expect(asUnavailable(unreachable)).toMatchObject({
    status: 503,
    message: 'the store can not be reached; rates of all providers together are still served',
    headers: { 'retry-after': '5' },
    cause: unreachable,
  });
  const syntax = Object.assign(new pg.DatabaseError('syntax', 0, 'error'), { code: '42601' });
  // In an error of the driver, such a message is of a lost connection.
  const refusal = new HttpError(422, 'invalid currency: POOL');
  for (const error of [refusal, new Error('a fault'), syntax]) expect(asUnavailable(error)).toBe(error);
});

it('an answer of one snapshot is begun again with a newer one, tag and all, where the database has moved on', async () => {
  const clock = () => new Date('2026-03-20T12:00:00Z');
  const question = { request: resolveRequest({}, clock), layout: {} };
  const body = (text: string): Content => ({ type: 'text/plain', body: text });
  const unused = () => Promise.reject(new Error('not to be used'));
  const pastSnapshots = { of: unused, newestDay: unused, withoutDays: () => snapshotOf([]) };
  const parts = { clock, raw: storeOf([]), versions: { at: unused }, pastSnapshots };
  const answer = createAnswer({ ...parts, snapshot: holderOf() });
  const reply = await answer(question, {
    render: ({ knowledge: { name } }) => (name < '3' ? outdated() : Promise.resolve(body(name))),
  });
  expect(reply).toMatchObject({ dataVersion: '1' });
  const made = await reply.make();
  expect(made).toMatchObject({ dataVersion: '3', content: body('3') });
  expect(made.validity.tag).not.toBe(reply.validity.tag);
});
