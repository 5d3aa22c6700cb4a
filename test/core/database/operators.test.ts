import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createSession,
  deleteAllSessions,
  deleteSession,
  findOpenSession,
  forgetPendingJobs,
  isOvertaken,
  notePendingJob,
  readOperatorActs,
  readPendingJobs,
  recordDecision,
  recordOperatorAct,
} from '../../../core/database/operators.js';
import { inOneView } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate operator_acts, operator_sessions restart identity'));

const by = { operator: 'anna', client: '127.0.0.1' };
const record = (act: string, suspect: string) =>
  recordOperatorAct(database, { ...by, act, details: { suspect } });

it('a decision is overtaken by a later one on the same suspect only', async () => {
  await recordDecision(database, { suspect: '1', status: 'rejected' }, by);
  const decision = await recordDecision(database, { suspect: '1', status: 'accepted' }, by);
  const overtaken = () => inOneView(database, (view) => isOvertaken(view, decision));
  await recordDecision(database, { suspect: '2', status: 'rejected' }, by);
  await record('look at suspect', '1');
  expect(await overtaken()).toBe(false);
  await recordDecision(database, { suspect: '1', status: 'rejected' }, by);
  expect(await overtaken()).toBe(true);
});

it('jobs that are to be done are read in the order of their acts, until one or all of a queue are forgotten', async () => {
  const job = (id: string, queue: 'blend') => ({ id, queue, wanted: { window: null } });
  const acts = [await record('one', ''), await record('two', ''), await record('three', '')];
  for (const [index, act] of [...acts.entries()].reverse())
    await notePendingJob(database, act, job(`job ${index}`, 'blend'));
  const pending = async () => (await readPendingJobs(database)).map(({ act, job: { id } }) => [act, id]);
  expect(await pending()).toEqual(acts.map((act, index) => [act, `job ${index}`]));
  await forgetPendingJobs(database, { id: 'job 1' });
  await forgetPendingJobs(database, { queue: 'ingest' });
  expect(await pending()).toEqual([
    [acts[0], 'job 0'],
    [acts[2], 'job 2'],
  ]);
  await forgetPendingJobs(database, { queue: 'blend' });
  expect(await pending()).toEqual([]);
});

it('acts are listed page by page, the newest first', async () => {
  for (const act of ['one', 'two', 'three']) await record(act, '1');
  const list = async (limit: number, before?: bigint) =>
    (await readOperatorActs(database, { limit, before })).map(({ id, act }) => [id, act]);
  expect(await list(2)).toEqual([
    [3n, 'three'],
    [2n, 'two'],
  ]);
  expect(await list(2, 2n)).toEqual([[1n, 'one']]);
});

it('a session is open until the instant at which it ends, and forgotten by the next that is begun then', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 2, 6, 10, 0, second));
  await createSession(database, { id: 'one', client: '', createdAt: at(0), expiresAt: at(10) });
  await createSession(database, { id: 'two', client: '', createdAt: at(9), expiresAt: at(20) });
  const open = (second: number) => findOpenSession(database, ['one', 'three'], at(second));
  expect([await open(9), await open(10)]).toEqual(['one', undefined]);
  await createSession(database, { id: 'three', client: '', createdAt: at(10), expiresAt: at(20) });
  expect([await open(9), await open(19)]).toEqual(['three', 'three']);
});

it('one session is ended, or all of them', async () => {
  const [createdAt, expiresAt] = [new Date('2026-03-06T10:00:00Z'), new Date('2026-03-06T12:00:00Z')];
  for (const id of ['one', 'two', 'three'])
    await createSession(database, { id, client: '', createdAt, expiresAt });
  const isOpen = async (id: string) => (await findOpenSession(database, [id], createdAt)) === id;
  await deleteSession(database, 'two');
  expect(await Promise.all(['one', 'two', 'three'].map(isOpen))).toEqual([true, false, true]);
  expect(await deleteAllSessions(database)).toBe(2);
  expect(await Promise.all(['one', 'two', 'three'].map(isOpen))).toEqual([false, false, false]);
});
