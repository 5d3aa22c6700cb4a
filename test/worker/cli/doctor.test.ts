import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSources } from '../../../core/sources/own-sources.js';
import { runCommandLine } from '../../../worker/cli/program.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { recordBoc } from './recordings.js';
import { cli } from './support.js';

const NOW = '2026-03-20T18:00:00Z';
const CSV = 'day,currency,rate\n2026-03-19,USD,0.87\n2026-03-20,USD,0.86\n2026-03-20,JPY,0.0058\n';

let bank: HttpStub;
let folder: string;
let sources: string;
beforeEach(async () => {
  bank = await httpStub({ '/fine': answer(CSV) });
  folder = await mkdtemp(join(tmpdir(), 'almanac-doctor-'));
  sources = await mkdtemp(join(tmpdir(), 'almanac-sources-'));
  await describeSource('FINEDESK', '/fine');
});
afterEach(async () => {
  useSources({});
  await bank.close();
  for (const one of [folder, sources]) await rm(one, { recursive: true });
});

/** A source that the bank has at a path. */
async function describeSource(key: string, path: string): Promise<void> {
  await writeFile(
    join(sources, `${key}.yaml`),
    `key: ${key}
name: ${key}
schedule: "30 6 * * 1-5"
read:
  url: ${bank.url}${path}
  format: csv
  columns: { date: day, base: currency, rate: rate }
  quote: EUR
`,
  );
}

const doctor = (words: string[], variables: Record<string, string> = {}) =>
  cli(['doctor', ...words], {
    now: NOW,
    variables: { SOURCES_DIR: sources, DATA_DIR: join(folder, 'none'), ...variables },
  });

const WITHOUT = 'not compared with stored rates: DATABASE_URL is not set, and DATA_DIR holds no database\n';

it('prints a table, and is content where all is well or a key is not set', async () => {
  const { code, stdout, stderr } = await doctor(['finedesk', 'TCMB']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: WITHOUT });
  // The column is as wide as the time that it took.
  expect(stdout.replace(/HTTP +MS/, 'HTTP  MS').replace(/ {2,}\d+ +1 +/, '  MS  1  ')).toBe(
    `SOURCE    FINDING      DNS  TCP  TLS  HTTP  MS  REQUESTS  BYTES  NEWEST      ROWS  STORED  DIFFERING
FINEDESK  ok           ok   ok         200  MS  1  ${CSV.length}  2026-03-20     3
TCMB      needs a key
`,
  );
});

it('tells below the table what is likely wrong and what to do, and exits with 1', async () => {
  await describeSource('GONEDESK', '/gone');
  await describeSource('SHUTDESK', '/shut');
  bank.route('/shut', answer('', 403));
  const { code, stdout, stderr } = await doctor(['GONEDESK', 'FINEDESK', 'SHUTDESK']);
  expect(code).toBe(1);
  expect(stderr).toBe(`${WITHOUT}almanac: need attention: GONEDESK, SHUTDESK\n`);
  const [table, ...findings] = stdout.split('\n\n');
  expect(table?.split('\n').map((line) => line.slice(0, 33).trimEnd())).toEqual([
    'SOURCE    FINDING  DNS  TCP  TLS',
    'GONEDESK  moved    ok   ok',
    'FINEDESK  ok       ok   ok',
    'SHUTDESK  blocked  ok   ok',
  ]);
  expect(findings).toEqual([
    `GONEDESK: Its data is no longer at this address: ${bank.url}/gone: responded with status 404 (Not Found).
  Look for the data on the source's site, and correct the address in its feed.`,
    expect.stringMatching(/^SHUTDESK: 127\.0\.0\.1 refuses this program.*\n {2}Set CONTACT_URL.*\n$/),
  ]);
});

it('says in one line that this machine has no internet access', async () => {
  await describeSource('OTHERDESK', '/fine');
  await bank.close();
  const { code, stdout, stderr } = await doctor(['FINEDESK', 'OTHERDESK', 'TCMB']);
  bank = await httpStub();
  expect(code).toBe(1);
  expect(stderr).toBe(`${WITHOUT}almanac: could not connect to any source\n`);
  const [, ...below] = stdout.split('\n\n');
  expect(below).toEqual([
    expect.stringMatching(/^Could not connect to any source.* no internet access [^\n]*\n$/),
  ]);
});

it('prints the same as JSON', async () => {
  await describeSource('GONEDESK', '/gone');
  const { code, stdout } = await doctor(['FINEDESK', 'GONEDESK', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    asked_at: '2026-03-20T18:00:00.000Z',
    has_way_out: true,
    sources: [
      {
        key: 'FINEDESK',
        finding: 'ok',
        needs_hand: false,
        likely: null,
        remedy: null,
        dns: 'ok',
        tcp: 'ok',
        tls: null,
        address: '127.0.0.1',
        protocol: null,
        chain: null,
        status: 200,
        milliseconds: expect.any(Number),
        requests: 1,
        bytes: CSV.length,
        rows: 3,
        newest: '2026-03-20',
        stored_newest: null,
        differing: null,
      },
      expect.objectContaining({
        key: 'GONEDESK',
        finding: 'moved',
        needs_hand: true,
        status: 404,
        rows: null,
      }),
    ],
  });
});

it('shows progress on a terminal', async () => {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
  const shown = text(stderr);
  const code = await runCommandLine(['doctor', 'FINEDESK'], {
    variables: { LOG_LEVEL: 'silent', SOURCES_DIR: sources, DATA_DIR: folder },
    clock: () => new Date(NOW),
    stdin: new PassThrough(),
    stdout: stdout.resume(),
    stderr,
    stopping: new AbortController().signal,
  });
  stderr.end();
  expect(code).toBe(0);
  expect(await shown).toMatch(/asking .* 1 of 1/);
});

describe('beside a database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.close());

  const compared = async () => {
    const { stdout, stderr } = await doctor(['FINEDESK'], { DATABASE_URL: database.url });
    expect(stderr).toBe('');
    return stdout.split('\n')[1]?.split(/ {2,}/).slice(-2);
  };

  it('compares with what is stored, and stores nothing', async () => {
    expect(await compared()).toEqual(['nothing', '0']);
    const stored = { SOURCES_DIR: sources, DATABASE_URL: database.url };
    bank.route('/fine', answer(CSV.replace('0.86', '0.99').replace('2026-03-20,JPY', '2026-03-23,JPY')));
    const window = ['--from', '2026-03-16', '--to', '2026-03-23'];
    await cli(['ingest', 'FINEDESK', ...window], { now: '2026-03-23T18:00:00Z', variables: stored });
    const before = (await database.pool.query('select * from rates')).rows;
    bank.route('/fine', answer(CSV));
    // The dollar of Friday is another one, the yen of Friday is not stored, and that of Monday is stored alone.
    expect(await compared()).toEqual(['2026-03-23', '1']);
    expect((await database.pool.query('select * from rates')).rows).toEqual(before);
    expect((await database.pool.query('select * from ingest_runs')).rows).toHaveLength(1);
  });

  it('goes on without one that is away, and says so once', async () => {
    const away = 'postgres://nobody@127.0.0.1:9/none';
    const { code, stdout, stderr } = await doctor(['FINEDESK', 'TCMB'], { DATABASE_URL: away });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'not compared with stored rates: cannot connect to 127.0.0.1:9 (ECONNREFUSED)\n',
    });
    expect(stdout).toMatch(/^FINEDESK .* 3$/m);
  });
});

it('reads recordings where they are set, compared with nothing', async () => {
  await recordBoc(folder);
  const { code, stdout, stderr } = await doctor(['BOC'], { FEEDS_FROM: folder });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^not compared with stored rates: FEEDS_FROM is set[^\n]*\n$/);
  expect(stdout).toMatch(/^BOC +ok +200 .* 2026-03-03 +4$/m);
});

it('refuses a source that there is not', async () => {
  expect((await doctor(['NOBODY'])).code).toBe(2);
});
