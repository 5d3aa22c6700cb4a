import { expect, it } from 'vitest';
import { readResponses, recordResponses } from '../../../core/database/run-responses.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('run_responses');

const fetchedAt = new Date('2026-03-06T16:00:00.123Z');
const response = (path: string) => ({
  ...{ url: `http://bank.test/${path}`, fetchedAt, sha256: '0123456789abcdef'.repeat(4), bytes: 5 },
});
const record = (run: string, ...paths: string[]) =>
  inTransaction(database, (transaction) => recordResponses(transaction, run, paths.map(response)));

it('responses are read as they were recorded, by run and in their order, all or the first ones of each', async () => {
  await record('7', 'z', 'a', '3');
  await record('8', 'a');
  await record('9', 'other');
  const read = async (limit?: number) => Object.fromEntries(await readResponses(database, [8, 7, 6], limit));
  expect(await read()).toEqual({ 7: ['z', 'a', '3'].map(response), 8: [response('a')] });
  expect(await read(2)).toEqual({ 7: ['z', 'a'].map(response), 8: [response('a')] });
});

it('of no runs nothing is read, and a run without responses records none', async () => {
  await record('7');
  for (const runs of [[], [7]]) expect(await readResponses(database, runs)).toEqual(new Map());
});

it('an error is that of PostgreSQL', () =>
  expect(readResponses(database, [1e10])).rejects.toMatchObject({ code: '22003' }));
