import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { emptyDatabase } from '../../support/postgres.js';
import { ownDatabase, readLines } from '../ingest/support.js';
import { recordBoc } from './recordings.js';
import { cli, done, failed, ownFolder } from './support.js';

const HEADER = 'provider,date,base,quote,rate';
const KRONE = `${HEADER}\nNB,2026-03-02,USD,NOK,9.5\n`;

const database = await ownDatabase();
const folder = await ownFolder();

const run = (words: string[], more: Parameters<typeof cli>[1] = {}) =>
  cli(words, { ...more, variables: { DATABASE_URL: database.url, ...more.variables } });
const imported = (stdin: string) => run(['rates', 'import', '-'], { stdin });
const read = (sql: string) => readLines(database, sql);

it('rates go in from a file or standard input, are blended, and come out as they went in', async () => {
  const csv = `${HEADER}\nECB,2026-03-02,EUR,USD,1.25\nNB,2026-03-02,USD,NOK,9.5\n`;
  const path = join(folder, 'rates.csv');
  await writeFile(path, csv);
  const stderr = done('2 new, 0 corrected, 0 unchanged');
  expect(await run(['rates', 'import', path])).toEqual({ code: 0, stdout: '', stderr });
  expect(await read(`select rate from blended_days where quote = 'NOK'`)).toEqual(['9.5']);
  const more = await imported(`${HEADER}\nECB,2026-03-02,EUR,USD,1.3\nECB,2026-03-02,EUR,QQQ,1\n`);
  expect(more.stderr).toEqual(done('0 new, 1 corrected, 0 unchanged, 1 dropped \\(unknown-currency\\)'));
  const stdout = csv.replace('1.25', '1.3').replace('rate', 'rate,buy,sell').replaceAll(/\d$/gm, '$&,,');
  expect(await run(['rates', 'export'])).toEqual({ code: 0, stdout, stderr: done('exported 2 rows') });
  expect(await run(['rates', 'export', folder])).toEqual(failed(1, /^almanac: EISDIR: .*\n$/));
});

it('a file with an odd line or a cut one does not go in', async () => {
  const odd = await imported(`${HEADER}\nECB,2026-03-32,EUR,USD,1\n`);
  expect(odd).toEqual(failed(1, /^almanac: line 2: not a date: "2026-03-32"\n$/));
  const cut = await imported(KRONE.slice(0, -3));
  expect(cut).toEqual(
    failed(1, /^almanac: the last line has no newline: the file was cut short, or needs one\n$/),
  );
  expect(await read('select rate from rates')).toEqual([]);
});

it('blends are put right, and whether there was anything to do is printed', async () => {
  await imported(KRONE);
  await database.pool.query('update blended_days set rate = 1');
  expect((await run(['blend', 'rebuild'])).stderr).toEqual(done('blended data version \\d+'));
  expect(await read(`select rate from blended_days where quote = 'NOK'`)).toEqual(['9.5']);
  expect((await run(['blend', 'rebuild'])).stderr).toEqual(
    done('all blends were already up to date: checked'),
  );
});

it('what takes long shows on a terminal how far it is, and leaves one line', async () => {
  const path = join(folder, 'long.csv');
  await writeFile(path, KRONE);
  const [backup, target] = [join(folder, 'backup'), join(folder, 'published')];
  const variables = { PUBLISH_KEY: makeSigningKey('here').text };
  for (const [words, bar, line] of [
    [
      ['rates', 'import', path],
      /reading .* 56 of 56 .*storing +0 s.*blending .* (\d+) of \1 /,
      '1 new, 0 corrected, 0 unchanged',
    ],
    [['rates', 'export', '-'], /exporting +0 s/, 'exported 1 rows'],
    [['blend', 'rebuild'], /blending .* \d+ of \d+/, 'all blends were already up to date: checked'],
    [['backup', backup], /backing up .* \d+ of \d+/, `backed up \\d+ rows into ${backup}`],
    [['restore', backup, '--replace'], /restoring .* 100% .* (\d+) of \1 /, 'restored \\d+ rows of .*Z'],
    [['publish', target], /tables .*days .* 0 of 1/, 'published: wrote \\d+ files'],
    [['verify', target], /tables .*days .* 0 of 1/, `verified ${target}`],
  ] as const) {
    const { code, stdout, stderr } = await run([...words], { variables, isTerminal: true });
    // The last thing that a bar does is to clear its line.
    const [last, ...shown] = stderr.split('\u001b[2K').reverse();
    expect([words, code, stdout.includes('\u001b')]).toEqual([words, 0, false]);
    expect([shown.reverse().join(), last]).toEqual([expect.stringMatching(bar), done(line)]);
  }
});

it('the digest is a line for each blended table, with the data version beside them', async () => {
  await imported(KRONE);
  const { code, stdout, stderr } = await run(['digest']);
  const lines = ['day', 'week', 'month'].map((period) => `${period} +\\d+ +[0-9a-f]{64}\n`);
  expect(stdout).toMatch(new RegExp(`^PERIOD +ROWS +SHA-256\n${lines.join('')}$`));
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^data version \d+\n$/) });
});

it('an ingest stores and announces what a bank gives, once, and what it corrects', async () => {
  const ingest = () => run(['ingest', 'BOC'], { variables: { FEEDS_FROM: folder } });
  await recordBoc(folder);
  const client = await database.pool.connect();
  let announced = 0;
  client.on('notification', () => {
    announced++;
  });
  await client.query('listen almanac_data_version');
  const first = await ingest();
  expect(first).toEqual({ code: 0, stdout: '', stderr: done('4 new, 0 corrected, 0 unchanged') });
  await vi.waitFor(() => expect(announced).toBe(1));
  client.release(true);
  expect((await ingest()).stderr).toEqual(done('0 new, 0 corrected, 4 unchanged'));
  await recordBoc(folder, '1.4');
  expect((await ingest()).stderr).toEqual(done('0 new, 1 corrected, 3 unchanged'));
  await recordBoc(folder, 'none');
  expect((await ingest()).stderr).toEqual(done('0 new, 0 corrected, 3 unchanged, 1 dropped \\(malformed\\)'));
  expect(await read('select outcome, reason from ingest_runs')).toEqual(Array(4).fill('succeeded operator'));
});

it('an ingest does not read a bank whose key is missing', async () => {
  expect(await run(['ingest', 'FRED'])).toEqual(failed(1, /^almanac: needs_key: FRED_API_KEY\n$/));
});

it('an empty database is migrated, and what was missing is printed', async () => {
  const empty = await emptyDatabase();
  const migrate = () => cli(['migrate'], { variables: { DATABASE_URL: empty.url } });
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+_initial\n/) });
  expect(await migrate()).toEqual({ code: 0, stdout: '', stderr: 'the database is up to date\n' });
  await empty.close();
});

it('a command that is stopped ends with 130 and leaves nothing half done', async () => {
  const stopping = new AbortController();
  const waiting = `select from pg_stat_activity where datname = current_database()
    and query like '%pg_advisory_xact_lock%' and wait_event_type = 'Lock'`;
  await inTransaction(database, async (holder) => {
    await lockData(holder);
    const ended = run(['rates', 'import', '-'], { stdin: KRONE, stopping: stopping.signal });
    // It waits for the lock that is held here.
    await vi.waitFor(async () => expect(await read(waiting)).toHaveLength(1), { interval: 50 });
    stopping.abort();
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: '' });
  });
  expect(await read('select from rates')).toEqual([]);
  // One whose pipe gives nothing ends as soon.
  const piped = new AbortController();
  const ended = run(['rates', 'import', '-'], { stdin: KRONE, isOpen: true, stopping: piped.signal });
  const copying = `select from pg_stat_activity where datname = current_database() and query ilike 'copy %'`;
  await vi.waitFor(async () => expect(await read(copying)).toHaveLength(1), { interval: 50 });
  piped.abort();
  expect(await ended).toEqual({ code: 130, stdout: '', stderr: '' });
});
