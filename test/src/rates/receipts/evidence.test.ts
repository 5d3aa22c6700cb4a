import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEvidence } from '../../../../src/rates/receipts/evidence.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';

const AT = new Date('2026-03-20T14:00:00.000Z');
const LATER = new Date('2026-03-20T14:00:00.001Z');

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase();
  await record(7, 'https://bank.test/seven');
});
afterEach(() => database.close());

async function record(run: number, url: string): Promise<void> {
  await database.pool.query(
    `insert into run_responses (run, number, url, fetched_at, sha256, bytes)
     select $1, number, $2 || number, '2026-03-20T13:59:00.125Z', sha256('rates'), 5 from generate_series(0, 24) as number`,
    [run, url],
  );
}

it('is the first twenty responses of the run of a row, and null where none are known', async () => {
  const of = await openEvidence(database)([
    { run: 7, recordedAt: AT },
    { run: 8, recordedAt: AT },
    { run: null, recordedAt: AT },
  ]);
  const evidence = of({ run: 7, recordedAt: AT });
  expect(evidence).toHaveLength(20);
  expect(evidence?.[0]).toEqual({
    url: 'https://bank.test/seven0',
    fetched_at: '2026-03-20T13:59:00.125Z',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    bytes: 5,
  });
  expect(of({ run: 8, recordedAt: AT })).toBeNull();
  expect(of({ run: null, recordedAt: AT })).toBeNull();
});

it('is read once for a run', async () => {
  const evidenceFor = openEvidence(database);
  const rows = [{ run: 7, recordedAt: AT }];
  const first = (await evidenceFor(rows))(rows[0] ?? { run: null, recordedAt: AT });
  await database.pool.query('drop table run_responses');
  expect((await evidenceFor(rows))({ run: 7, recordedAt: AT })).toEqual(first);
  await expect(evidenceFor([{ run: 8, recordedAt: AT }])).rejects.toThrow('run_responses');
});

it('is that of the restored run where a backup has another one of the same number', async () => {
  const evidenceFor = openEvidence(database);
  await evidenceFor([{ run: 7, recordedAt: AT }]);
  await database.pool.query('delete from run_responses');
  await record(7, 'https://bank.test/restored');
  const rows = [
    { run: 7, recordedAt: AT },
    { run: 7, recordedAt: LATER },
  ];
  const of = await evidenceFor(rows);
  expect(rows.map((row) => of(row)?.[0]?.url)).toEqual([
    'https://bank.test/seven0',
    'https://bank.test/restored0',
  ]);
});
