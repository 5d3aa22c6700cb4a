import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { runCommandLine } from '../../../worker/cli/program.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const missing = existsSync(RECORDINGS) ? '' : ` (there is no folder ${RECORDINGS})`;
const KEYS =
  'BANGUAT BAZG BCCCD BCRP BCV BDL BFM BIS BM BOMU BOZ CBAR CBBH CBKKW CBO CBSSC CBTT CBVS CFETS HMRC INFOREURO JPC NBS PMA UST'.split(
    ' ',
  );

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database, { clock: () => new Date('2026-09-26T12:00:00Z') });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** What `ingest KEY` over the recordings says: new, corrected and unchanged rows, and the outcome. */
async function ingest(
  key: string,
): Promise<{ added: number; corrected: number; unchanged: number; outcome: string }> {
  let printed = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk);
      done();
    },
  });
  await runCommandLine(['ingest', key], {
    variables: { DATABASE_URL: database.url, FEEDS_FROM: RECORDINGS, LOG_LEVEL: 'silent' },
    clock: () => new Date('2026-09-26T12:00:00Z'),
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    stopping: new AbortController().signal,
  });
  const line = printed.split('\n').find((one) => one.startsWith(`${key} `)) ?? '';
  const [, added, corrected, unchanged, , outcome = ''] = line.split(/\s+/);
  return { added: Number(added), corrected: Number(corrected), unchanged: Number(unchanged), outcome };
}

test.skipIf(missing)(
  `the recordings of the newest sources, twice${missing}`,
  { timeout: 300_000 },
  async () => {
    for (const key of KEYS) {
      const first = await ingest(key);
      expect({ key, ...first, added: first.added > 0 }).toEqual({
        key,
        added: true,
        corrected: 0,
        unchanged: 0,
        outcome: 'ok',
      });
      expect({ key, ...(await ingest(key)) }).toEqual({
        key,
        added: 0,
        corrected: 0,
        unchanged: first.added,
        outcome: 'ok',
      });
    }
    const rates = async (query: string) => {
      const response = await fetch(`${api.url}/v2/rates?${query}`);
      const rows = (await response.json()) as { rate: number; valid_from: string; valid_to: string }[];
      return rows.map(({ rate, valid_from, valid_to }) => [rate, valid_from, valid_to]);
    };
    // As published, in the recordings.
    await expect
      .poll(() => rates('providers=HMRC&base=GBP&quotes=USD&date=2026-09-15'))
      .toEqual([[1.3554, '2026-09-01', '2026-09-30']]);
    expect(await rates('providers=INFOREURO&base=EUR&quotes=USD&date=2026-09-15')).toEqual([
      [1.1643, '2026-09-01', '2026-09-30'],
    ]);
    expect(await rates('providers=BAZG&base=EUR&quotes=CHF&date=2022-06-29')).toEqual([
      [1.02111, '2022-06-29', '2022-06-29'],
    ]);
    expect(await rates('providers=UST&base=USD&quotes=BOB&date=2026-07-14')).toEqual([
      [6.85, '2026-06-30', '2026-07-14'],
    ]);
    expect(await rates('providers=UST&base=USD&quotes=BOB&date=2026-07-15')).toEqual([
      [10.35, '2026-07-15', '2026-09-29'],
    ]);
    expect(await rates('providers=JPC&base=KRW&quotes=JPY&date=2002-01-12')).toEqual([
      [0.1003, '2002-01-06', '2002-01-12'],
    ]);
    expect(await rates('providers=BIS&base=USD&quotes=JPY&date=2025-02-27')).toEqual([
      [154.902338, '2025-01-31', '2025-02-27'],
    ]);
  },
);
