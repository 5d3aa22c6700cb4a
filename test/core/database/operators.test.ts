import { expect, it } from 'vitest';
import * as operators from '../../../core/database/operators.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('operator_acts', 'operator_sessions');

const by = { operator: 'anna', client: '127.0.0.1' };
const record = (act: string, suspect = '1') =>
  operators.recordOperatorAct(database, { ...by, act, details: { suspect } });
const at = (second: number) => new Date(Date.UTC(2026, 2, 6, 10, 0, second));
const begin = (id: string, from: number, to: number) =>
  operators.createSession(database, { id, client: '', createdAt: at(from), expiresAt: at(to) });

it('jobs that are to be done are read in the order of their acts, until they are forgotten', async () => {
  const acts = [await record('one'), await record('two'), await record('three')];
  const note = (act: bigint, id: string) =>
    operators.notePendingJob(database, act, { id, queue: 'blend', wanted: { window: null } });
  for (const number of [2, 1, 0]) await note(acts[number] ?? 0n, `job ${number}`);
  const pending = async () =>
    (await operators.readPendingJobs(database)).map(({ act, job: { id } }) => [act, id]);
  expect(await pending()).toEqual(acts.map((act, number) => [act, `job ${number}`]));
  await operators.forgetPendingJobs(database, { id: 'job 1' });
  expect((await pending()).map(([, id]) => id)).toEqual(['job 0', 'job 2']);
});

it('acts are listed page by page, the newest first', async () => {
  for (const act of ['one', 'two', 'three']) await record(act);
  const list = async (limit: number, before?: string) =>
    (await operators.readOperatorActs(database, { limit, before })).map(({ id, act }) => `${id} ${act}`);
  expect([await list(2), await list(2, '2')]).toEqual([['3 three', '2 two'], ['1 one']]);
});

it('a session is open until the instant at which it ends, and forgotten by the next that is begun then', async () => {
  await begin('one', 0, 10);
  await begin('two', 9, 20);
  const open = (second: number) => operators.findOpenSession(database, ['one', 'three'], at(second));
  expect([await open(9), await open(10)]).toEqual(['one', undefined]);
  await begin('three', 10, 20);
  expect([await open(9), await open(19)]).toEqual(['three', 'three']);
});

it('one session is ended, or all of them', async () => {
  const ids = ['one', 'two', 'three'];
  for (const id of ids) await begin(id, 0, 10);
  const open = () => Promise.all(ids.map((id) => operators.findOpenSession(database, [id], at(0))));
  await operators.deleteSession(database, 'two');
  expect(await open()).toEqual(['one', undefined, 'three']);
  expect(await operators.deleteAllSessions(database)).toBe(2);
  expect(await open()).toEqual([undefined, undefined, undefined]);
});
