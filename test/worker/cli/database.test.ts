import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../support/postgres.js';
import { BUILD, buildService } from '../../support/service.js';
import { recordBoc } from './recordings.js';
import { cli } from './support.js';

const HEADER = 'provider,date,base,quote,rate';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-cli-'));
  database = await testDatabase();
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const run = (words: string[], stdin?: string, variables = {}) =>
  cli(words, {
    variables: { DATABASE_URL: database.url, ...variables },
    ...(stdin === undefined ? {} : { stdin }),
  });
const read = async (sql: string) => (await database.pool.query({ text: sql, rowMode: 'array' })).rows;

describe('rates', () => {
  it('go in from a file or standard input, are blended, and come out as they went in', async () => {
    const csv = `${HEADER}\nECB,2026-03-02,EUR,USD,1.25\nNB,2026-03-02,USD,NOK,9.5\n`;
    const path = join(folder, 'rates.csv');
    await writeFile(path, csv);
    expect(await run(['rates', 'import', path])).toEqual({
      code: 0,
      stdout: '',
      stderr: '2 new, 0 corrected, 0 unchanged\n',
    });
    expect(await read(`select rate from blended_days where quote = 'NOK'`)).toEqual([[9.5]]);
    const more = `${HEADER}\nECB,2026-03-02,EUR,USD,1.3\nECB,2026-03-02,EUR,QQQ,1\n`;
    expect((await run(['rates', 'import', '-'], more)).stderr).toBe(
      '0 new, 1 corrected, 0 unchanged, 1 dropped (unknown-currency)\n',
    );
    expect((await run(['rates', 'export', '--plain'])).stdout).toBe(csv.replace('1.25', '1.3'));
  });

  it('come out with their number and hash at the end, without which they do not go in', async () => {
    await run(['rates', 'import', '-'], `${HEADER}\nECB,2026-03-02,EUR,USD,1.25\n`);
    const { stdout } = await run(['rates', 'export']);
    expect(stdout.split('\n')).toEqual([
      '# rates of Almanac: the last line has their number and hash',
      HEADER,
      'ECB,2026-03-02,EUR,USD,1.25',
      expect.stringMatching(/^# end of 1 rows, sha256 [\da-f]{64}$/),
      '',
    ]);
    expect((await run(['rates', 'import', '-'], stdout)).stderr).toBe('0 new, 0 corrected, 1 unchanged\n');
    const cut = await run(['rates', 'import', '-'], stdout.replace(/1\.25.*/s, '1.2\n'));
    expect(cut).toEqual({
      code: 1,
      stdout: '',
      stderr: 'almanac: the last line of the export is missing: the file was cut short\n',
    });
    expect(await read('select rate from rates')).toEqual([[1.25]]);
  });

  it('are refused with the line that is wrong', async () => {
    const { code, stderr } = await run(['rates', 'import', '-'], `${HEADER}\nECB,2026-03-32,EUR,USD,1\n`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'almanac: line 2: not a date: "2026-03-32"\n' });
  });
});

describe('blend rebuild', () => {
  it('puts right what is wrong, and says so when nothing is', async () => {
    await run(['rates', 'import', '-'], `${HEADER}\nNB,2026-03-02,USD,NOK,9.5\n`);
    await database.pool.query('update blended_days set rate = 1');
    expect((await run(['blend', 'rebuild'])).stderr).toMatch(/^data version \d+\n$/);
    expect(await read(`select rate from blended_days where quote = 'NOK'`)).toEqual([[9.5]]);
    expect((await run(['blend', 'rebuild'])).stderr).toBe('all blends were already up to date\n');
  });
});

describe('suspects', () => {
  it('are decided on, blended and written down, where there are such', async () => {
    const rates = ['12,USD,NGN,464.67', '13,USD,NGN,464.8', '14,USD,NGN,4648'];
    await run(
      ['rates', 'import', '-'],
      [HEADER, ...rates.map((rate) => `CBN,2023-06-${rate}`), ''].join('\n'),
    );
    const days = () => read(`select date from blended_days where quote = 'NGN' order by date`);
    expect(await days()).toEqual([['2023-06-12'], ['2023-06-13']]);
    const id = (await read('select id::text from suspects'))[0]?.[0];
    const accepted = { code: 0, stdout: '', stderr: 'CBN 2023-06-14 USD/NGN 4648: accepted\n' };
    expect(await run(['suspects', 'accept', id])).toEqual(accepted);
    expect(await days()).toHaveLength(3);
    expect(await run(['suspects', 'accept', id])).toEqual(accepted);
    expect(await read('select version from data_versions')).toHaveLength(2);
    expect(await read('select status, resolved_by from suspects')).toEqual([['accepted', 'command line']]);
    expect(await run(['suspects', 'reject', '99'])).toMatchObject({
      code: 1,
      stderr: 'almanac: there is no suspect 99, or its rate has been restated\n',
    });
    const acts = Array(2).fill(['command line', 'accept suspect', { suspect: id }]);
    expect(await read('select operator, act, details from operator_acts')).toEqual(acts);
  });
});

describe('digest', () => {
  it('prints a line for each blended table, and the data version beside them', async () => {
    await run(['rates', 'import', '-'], `${HEADER}\nNB,2026-03-02,USD,NOK,9.5\n`);
    const { code, stdout, stderr } = await run(['digest']);
    expect(stdout).toMatch(
      /^PERIOD +ROWS +SHA-256\nday +\d+ +[0-9a-f]{64}\nweek +\d+ +[0-9a-f]{64}\nmonth +\d+ +[0-9a-f]{64}\n$/,
    );
    expect(stderr).toMatch(/^data version \d+\n$/);
    expect(code).toBe(0);
  });
});

describe('ingest', () => {
  const row = (provider: string, stdout: string) =>
    stdout
      .split('\n')
      .find((line) => line.startsWith(`${provider} `))
      ?.split(/\s+/)
      .slice(1);

  it('stores and announces what a bank gives, once, and what it corrects', async () => {
    await recordBoc(folder);
    const variables = { FEEDS_FROM: folder };
    const client = await database.pool.connect();
    let announced = 0;
    client.on('notification', () => {
      announced++;
    });
    await client.query('listen almanac_data_version');
    const first = await run(['ingest', 'BOC'], undefined, variables);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(row('BOC', first.stdout)).toEqual(['4', '0', '0', '0', 'ok']);
    expect(row('PROVIDER', first.stdout)).toEqual(['NEW', 'CORRECTED', 'UNCHANGED', 'DROPPED', 'OUTCOME']);
    await vi.waitFor(() => expect(announced).toBe(1));
    client.release(true);
    expect(row('BOC', (await run(['ingest', 'BOC'], undefined, variables)).stdout)).toEqual([
      '0',
      '0',
      '4',
      '0',
      'ok',
    ]);
    await recordBoc(folder, '1.4');
    expect(row('BOC', (await run(['ingest', 'BOC'], undefined, variables)).stdout)).toEqual([
      '0',
      '1',
      '3',
      '0',
      'ok',
    ]);
    expect(await read(`select outcome, reason from ingest_runs`)).toEqual(
      Array(3).fill(['succeeded', 'operator']),
    );
  });

  it('goes on where some fail, and tells which', async () => {
    await recordBoc(folder);
    const { code, stdout, stderr } = await run(['ingest', '--all'], undefined, { FEEDS_FROM: folder });
    expect(code).toBe(1);
    expect(row('BOC', stdout)).toEqual(['4', '0', '0', '0', 'ok']);
    expect(row('ECB', stdout)?.slice(0, 5)).toEqual(['0', '0', '0', '0', 'ENOENT:']);
    expect(stderr).toMatch(/^almanac: failed: .*\bECB\b/);
  });

  it('does not read a bank whose key is missing', async () => {
    const { code, stdout } = await run(['ingest', 'FRED']);
    expect(code).toBe(1);
    expect(row('FRED', stdout)).toEqual(['0', '0', '0', '0', 'needs_key:', 'FRED_API_KEY']);
  });
});

it('migrates an empty database and names what was missing', async () => {
  const empty = await emptyDatabase();
  try {
    const migrate = () => cli(['migrate'], { variables: { DATABASE_URL: empty.url } });
    expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+_initial\n/) });
    expect(await migrate()).toEqual({ code: 0, stdout: '', stderr: 'the database is up to date\n' });
  } finally {
    await empty.close();
  }
});

it('stops at a signal with 130 and leaves nothing half done', async () => {
  await buildService();
  const main = join(BUILD, 'worker', 'cli', 'main.js');
  await inTransaction(database, async (holder) => {
    await lockData(holder);
    const child = spawn(process.execPath, [main, 'rates', 'import', '-'], {
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit');
    child.stdin.end(`${HEADER}\nNB,2026-03-02,USD,NOK,9.5\n`);
    // It waits for the lock that is held here.
    const waiting = `select count(*)::int from pg_stat_activity where datname = current_database()
    and query like '%pg_advisory_xact_lock%' and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect(await read(waiting)).toEqual([[1]]), {
      timeout: 20_000,
      interval: 50,
    });
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });
  expect(await read('select from rates')).toEqual([]);
});
