import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import * as locks from '../../../core/database/locks.js';
import { type Store, storeAlone } from '../../../worker/ingest/store.js';
import { event } from '../../support/event.js';
import { dollars, feedOf, ingestFrom, newestRun, ownDatabase, readLines } from './support.js';

const database = await ownDatabase();

const read = (query: string) => readLines(database, query);
const rateOf = (rate: number) => [dollars('2026-03-02', rate)];
const ingest = (rate: number, store = storeAlone(database)) =>
  ingestFrom(database, feedOf('ECB', rateOf(rate)), { store });

/** Ends the connection that holds the provider's lock, as a network does that forgets about a paused machine. */
async function breakLock(): Promise<void> {
  const held = `from pg_locks where locktype = 'advisory' and classid = ${locks.LOCKS.provider}
    and database = (select oid from pg_database where datname = current_database())`;
  expect(await read(`select pg_terminate_backend(pid) ${held}`)).toEqual(['true']);
  await expect.poll(() => read(`select ${held}`)).toEqual([]);
}

/** Begins an ingest and waits until it has come as far as `pause`, from which `resume` lets it go on. */
async function pausedIngest(begin: (pause: () => Promise<void>) => Promise<unknown>) {
  const [reached, resume] = [event(), event()];
  const ended = begin(() => {
    reached.happen();
    return resume.happened;
  });
  ended.catch(() => undefined); // It is looked at later.
  await reached.happened;
  return { ended, resume: resume.happen };
}

it('a lock that broke while the bank was read has the ingest store nothing', async () => {
  const feed = feedOf('ECB', async () => {
    await breakLock();
    await delay(200);
    return rateOf(1.1);
  });
  await expect(ingestFrom(database, feed)).rejects.toThrow('lost the lock on ECB');
  expect(await read('select from rates')).toEqual([]);
  const error = expect.stringContaining('lost the lock on ECB');
  expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error });
});

it('a lock is given back before the ingest ends', async () => {
  const { lockProvider } = locks;
  let isReleased = false;
  const locking = vi.spyOn(locks, 'lockProvider').mockImplementation(async (...args) => {
    const lock = await lockProvider(...args);
    const release = async () => {
      await delay(50);
      await lock.release();
      isReleased = true;
    };
    return { ...lock, release };
  });
  await ingest(1.1).finally(() => locking.mockRestore());
  expect(isReleased).toBe(true);
});

describe('a worker that is paused before it stores', () => {
  const pausedBeforeStoring = () =>
    pausedIngest((pause) => {
      const store = storeAlone(database);
      return ingest(1.1, (...args) => pause().then(() => store(...args)));
    });

  it('stores nothing once another has begun to ingest the provider', async () => {
    const { ended, resume } = await pausedBeforeStoring();
    await breakLock();
    await ingest(1.2);
    resume();
    await expect(ended).rejects.toThrow('run 1 is over: another worker has begun one of ECB');
    expect(await read('select rate, run from rates')).toEqual(['1.2 2']);
    const runs = await read('select outcome, rows_new, error from ingest_runs order by id');
    expect(runs).toEqual(['failed 0 its process ended while it ran', 'succeeded 1 null']);
    expect(await read('select last_error from providers')).toEqual(['null']);
  });

  it('stores where its lock was lost and nobody else took it', async () => {
    const { ended, resume } = await pausedBeforeStoring();
    await breakLock();
    resume();
    expect(await ended).toMatchObject({ rowsNew: 1 });
  });
});

it('a worker whose reading failed after another took over does not hold it against the provider', async () => {
  const { ended, resume } = await pausedIngest((pause) => {
    const fail = () => Promise.reject(new Error('the connection was lost'));
    return ingestFrom(
      database,
      feedOf('ECB', () => pause().then(fail)),
    );
  });
  await breakLock();
  await ingest(1.2);
  resume();
  await expect(ended).rejects.toThrow('the connection was lost');
  expect(await read('select last_error from providers')).toEqual(['null']);
  expect(await read('select outcome from ingest_runs order by id')).toEqual(['failed', 'succeeded']);
});

it('who takes the provider over waits for what is being stored', async () => {
  const WAITING = `select from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`;
  const storing = storeAlone(database);
  const { ended, resume } = await pausedIngest((pause) => {
    const store: Store = (provider, rows, run, alongside) =>
      storing(provider, rows, run, async (...stored) => {
        await pause();
        await alongside(...stored);
      });
    return ingest(1.1, store);
  });
  await breakLock();
  const second = ingest(1.2);
  await expect.poll(() => read(WAITING)).toHaveLength(1);
  resume();
  expect(await ended).toMatchObject({ rowsNew: 1 });
  expect(await second).toMatchObject({ rowsCorrected: 1 });
  expect(await read('select outcome from ingest_runs')).toEqual(['succeeded', 'succeeded']);
});
