import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { softwareVersion } from '../../../core/process/project-files.js';
import { useSources } from '../../../core/sources/custom-sources.js';
import { recordBoc } from './recordings.js';
import { cli, failed, ownFolder } from './support.js';

const folder = await ownFolder();
const index = await recordBoc(folder);
const FEEDS = { variables: { FEEDS_FROM: folder } };
/** No server listens there: a command that needs none must not notice. */
const NOWHERE = { variables: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' } };

const linesOf = (text: string) => text.trimEnd().split('\n');

describe('feed fetch of a recording', () => {
  const replay = (...words: string[]) =>
    cli(['feed', 'fetch', 'boc', '--recording', index, ...words], NOWHERE);

  it('prints what would be stored, sorted, one array a line, and nothing else', async () => {
    const window = ['--from', '2026-03-02', '--to', '2026-03-03'];
    const stdout =
      '["2026-03-02","EUR","CAD",1.6012]\n["2026-03-02","USD","CAD",1.3701]\n' +
      '["2026-03-03","EUR","CAD",1.587]\n["2026-03-03","USD","CAD",1.365]\n';
    expect(await replay(...window)).toEqual({ code: 0, stderr: '', stdout });
  });

  it.each([
    ['both ends of the window', ['--from', '2026-03-02', '--to', '2026-03-02'], 2],
    ['all as at the time of the recording', [], 4],
    // Two days ahead are allowed, three are not.
    ['all as at two days before', ['--now', '2026-03-01'], 4],
    ['the first day as at three days before the second', ['--now', '2026-02-28T23:00Z'], 2],
  ])('prints %s', async (_what, words, count) => {
    expect(linesOf((await replay(...words)).stdout)).toHaveLength(count);
  });

  it('fails in one line where there is no such recording', async () => {
    const none = await replay('--recording', join(folder, 'none'));
    expect(none).toEqual(failed(1, /^almanac: ENOENT: no such file or directory, .*none'\n$/));
  });
});

test('feed fetch reads recordings if configured, over their own days', async () => {
  const { code, stdout } = await cli(['feed', 'fetch', 'BOC'], FEEDS);
  expect([code, linesOf(stdout)[0]]).toEqual([0, '["2026-03-02","EUR","CAD",1.6012]']);
  const narrow = await cli(['feed', 'fetch', 'BOC', '--from', '2026-03-03'], FEEDS);
  expect(linesOf(narrow.stdout)).toHaveLength(2);
});

describe('feed fetch with a folder to record into', () => {
  it('keeps what a source sends, and prints where, and whether the rates are the same again', async () => {
    const out = join(folder, 'kept');
    const made = join(out, 'boc', 'recorded', 'boc.index.json');
    const recorded = await cli(['feed', 'fetch', 'boc', '--from', '2026-03-03', '--record', out], FEEDS);
    const stderr = /^kept 1 response, \d+ bytes\n$/;
    expect(recorded).toEqual({ code: 0, stdout: `${made}\n`, stderr: expect.stringMatching(stderr) });
    // The form in which recordings are documented.
    const words = ['feed', 'replay', 'BOC', '--recording', made, '--after', '2026-03-03'];
    expect(linesOf((await cli(words, NOWHERE)).stdout)).toHaveLength(2);
  });

  it('keeps what it can not read too, and fails with the reason', async () => {
    const page = await mkdtemp(join(folder, 'page-'));
    const place = join(page, 'boc', 'recorded');
    await cp(join(folder, 'boc', 'recorded'), place, { recursive: true });
    await writeFile(join(place, 'boc-1.txt'), '<html>blocked</html>');
    const words = ['feed', 'fetch', 'BOC', '--record', join(page, 'kept')];
    const { code, stdout, stderr } = await cli(words, { variables: { FEEDS_FROM: page } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('boc.index.json') });
    expect(stderr).toMatch(/^kept 1 .*\nalmanac: its responses can't be read: .*HTML page.*\n$/);
  });

  it('has to have the key of a source, and is not for sources of your own', async () => {
    const keyless = await cli(['feed', 'fetch', 'FRED', '--record', folder]);
    expect(keyless).toEqual(failed(1, /^almanac: needs_key: FRED_API_KEY\n$/));
    const sources = await mkdtemp(join(folder, 'sources-'));
    await writeFile(join(sources, 'desk.yaml'), 'key: DESK\nname: Treasury desk\n');
    const own = await cli(['feed', 'fetch', 'DESK', '--record', folder], {
      variables: { SOURCES_DIR: sources },
    });
    useSources({});
    expect(own.stderr).toBe('almanac: DESK is a source of your own: its file may hold secrets\n');
  });
});

test('verify says in one line why a file is no receipt', async () => {
  const message = /^almanac: the file holds no valid receipt: url: Invalid input: .* undefined\n$/;
  expect(await cli(['verify', '-'], { stdin: '{"a":1}', ...NOWHERE })).toEqual(failed(1, message));
});

it.each<[string, string, string]>([
  ...['backup', 'restore', 'verify', 'publish', 'rates import', 'rates export'].map(
    (command): [string, string, string] => [command, '', 'It is empty: expected a path.'],
  ),
  ['verify', 'https://', 'Expected a URL with a host, such as https://rates.example.org/almanac.'],
  ['verify', 'http:rates.example.org', 'Expected a URL with a host'],
])('%s "%s" is an invalid command line that says what is wrong', async (command, place, message) => {
  expect(await cli([...command.split(' '), place], NOWHERE)).toEqual(failed(2, message));
});

it.each([
  ['nothing', ''],
  ['an unknown command', 'frobnicate'],
  ['an unknown provider', 'feed fetch XYZ'],
  ['a day that does not exist', 'feed fetch ECB --from 2026-02-30'],
  ['a window that ends before it begins', 'feed fetch ECB --from 2026-03-02 --to 2026-03-01'],
  ['a recording to read and to make', 'feed fetch ECB --recording a --record b'],
  ['a rebuild of a file', 'blend rebuild rates.json'],
  ['a key without an origin', 'keys make'],
  ['an ingest without a provider', 'ingest'],
  ['a source that there is not', 'doctor NOBODY'],
])('an invalid command line ends with 2: %s', async (_, line) => {
  expect(await cli(line.split(' ').filter(Boolean))).toEqual(failed(2, /./));
});

test('the list of commands and the version need no settings, and no libraries of a database', async () => {
  const variables = { PORT: 'eighty' };
  const { code, stdout } = await cli(['--help'], { variables });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/\n {2}healthcheck {2,}check that/),
  });
  const version = { code: 0, stdout: `${softwareVersion}\n`, stderr: '' };
  expect(await cli(['--version'], { variables })).toEqual(version);
});

test('a command has help with examples', async () => {
  const { code, stdout } = await cli(['ingest', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('npm run --silent cli -- ingest ECB');
});

describe('a source that is left out', () => {
  const variables = { ...NOWHERE.variables, PROVIDERS_EXCEPT: 'BDL' };

  it.each(['feed fetch', 'ingest'])('is refused by %s, with the reason', async (command) => {
    const refused = await cli([...command.split(' '), 'bdl'], { variables });
    expect(refused).toEqual(failed(2, 'PROVIDERS_EXCEPT leaves it out.'));
  });
});

const none = join(folder, 'none');
it.each([
  [{ PORT: 'eighty' }, /^almanac: invalid configuration: PORT: [^\n]*\n$/],
  [{ PROVIDERS_EXCEPT: 'BDL,XYZ' }, /^almanac: PROVIDERS_EXCEPT: there is no provider XYZ\n$/],
  [{ SOURCES_DIR: none }, new RegExp(`^almanac: SOURCES_DIR: ${none} [^\\n]*\\n$`)],
])('the invalid variable %j ends a command with 78 and one line', async (variables, line) => {
  expect(await cli(['feed', 'fetch', 'ECB'], { variables })).toEqual(failed(78, line));
});

test('an unreachable database is reported in one line', async () => {
  const csv = join(folder, 'rates.csv');
  await writeFile(csv, 'provider,date,base,quote,rate\n');
  const started = Date.now();
  const stderr = 'almanac: cannot connect to 127.0.0.1:9 (ECONNREFUSED)\n';
  expect(await cli(['rates', 'import', csv], NOWHERE)).toEqual({ code: 1, stdout: '', stderr });
  expect(Date.now() - started).toBeLessThan(15_000);
});

test('something else in the place of the database ends a command with 78, and is left alone', async () => {
  const notes = join(folder, 'postgres', 'notes.txt');
  await mkdir(join(folder, 'postgres'));
  await writeFile(notes, 'of somebody');
  const refused = await cli(['rates', 'export'], { variables: { DATA_DIR: folder } });
  const line = /^almanac: .*postgres exists, but no PostgreSQL cluster can be read in it: [^\n]+\n$/;
  expect(refused).toEqual(failed(78, line));
  expect(await readFile(notes, 'utf8')).toBe('of somebody');
});
