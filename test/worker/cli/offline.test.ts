import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { useSources } from '../../../core/sources/own-sources.js';
import { recordBoc } from './recordings.js';
import { cli } from './support.js';

let folder: string;
let index: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-cli-'));
  index = await recordBoc(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** No server listens there: a command that needs none must not notice. */
const nowhere = { variables: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' } };

describe('feed replay', () => {
  const replay = (...words: string[]) =>
    cli(['feed', 'replay', 'boc', '--recording', index, ...words], nowhere);

  it('prints what would be stored, sorted, one array a line, and nothing else', async () => {
    expect(await replay('--after', '2026-03-02', '--upto', '2026-03-03')).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        '["2026-03-02","EUR","CAD",1.6012]',
        '["2026-03-02","USD","CAD",1.3701]',
        '["2026-03-03","EUR","CAD",1.587]',
        '["2026-03-03","USD","CAD",1.365]',
        '',
      ].join('\n'),
    });
  });

  it('includes both ends of the window', async () => {
    const { stdout } = await replay('--after', '2026-03-02', '--upto', '2026-03-02');
    expect(stdout.match(/2026-03-../g)).toEqual(['2026-03-02', '2026-03-02']);
  });

  it('stands at the time of the recording, or at the one given', async () => {
    expect((await replay()).stdout.split('\n')).toHaveLength(5);
    // Two days ahead are allowed, three are not.
    expect((await replay('--now', '2026-03-01')).stdout.split('\n')).toHaveLength(5);
    expect((await replay('--now', '2026-02-28T23:00Z')).stdout.split('\n')).toHaveLength(3);
  });

  it('fails in one line where there is no such recording', async () => {
    const { code, stdout, stderr } = await cli([
      'feed',
      'replay',
      'BOC',
      '--recording',
      join(folder, 'none'),
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^almanac: ENOENT.*\n$/);
  });

  const shared = join(projectFolder, '..', 'shared', 'feeds');
  test.skipIf(!existsSync(shared)).each(['ecb', 'boc', 'cbr'])(
    existsSync(shared) ? 'gives what is expected of a real recording: %s' : `skipped, none at ${shared}: %s`,
    async (key) => {
      const [expected] = JSON.parse(readFileSync(join(shared, key, 'expected.json'), 'utf8'));
      const { recording, request, compare, rows } = expected;
      const words = ['--recording', join(shared, key, 'recorded', `${recording}.index.json`)];
      if (request.after) words.push('--after', request.after);
      if (request.upto) words.push('--upto', request.upto);
      const { stdout } = await cli(['feed', 'replay', key, ...words]);
      const given = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const wanted = rows.map(([date, base, quote, rate]: [string, string, string, number]) => [
        date,
        base,
        quote,
        Number(rate.toPrecision(12)),
      ]);
      expect(given.filter(([date]) => date >= compare.from && date <= compare.to).sort()).toEqual(
        wanted.sort(),
      );
    },
  );
});

test('feed fetch reads recordings if configured, over their own days', async () => {
  const { code, stdout } = await cli(['feed', 'fetch', 'BOC'], { variables: { FEEDS_FROM: folder } });
  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toBe('["2026-03-02","EUR","CAD",1.6012]');
  const narrow = await cli(['feed', 'fetch', 'BOC', '--from', '2026-03-03'], {
    variables: { FEEDS_FROM: folder },
  });
  expect(narrow.stdout.trimEnd().split('\n')).toHaveLength(2);
});

describe('feed record', () => {
  const variables = () => ({ FEEDS_FROM: folder });

  it('keeps what a source sends, prints where, and says whether the rates are the same again', async () => {
    const out = join(folder, 'kept');
    const made = join(out, 'boc', 'recorded', 'boc.index.json');
    const words = ['feed', 'record', 'boc', '--from', '2026-03-03', '--out', out];
    const { code, stdout, stderr } = await cli(words, { variables: variables() });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${made}\n` });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^kept 1 response, \d+ bytes$/),
      'the recording gives the same 2 rates',
      '',
    ]);
    const replayed = await cli(
      ['feed', 'replay', 'BOC', '--recording', made, '--after', '2026-03-03'],
      nowhere,
    );
    expect(replayed.stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('keeps what it can not read too, and says so', async () => {
    const page = await mkdtemp(join(tmpdir(), 'almanac-cli-'));
    const place = join(page, 'boc', 'recorded');
    await cp(join(folder, 'boc', 'recorded'), place, { recursive: true });
    await writeFile(join(place, 'boc-1.txt'), '<html>blocked</html>');
    const words = ['feed', 'record', 'BOC', '--out', join(page, 'kept')];
    const { code, stdout, stderr } = await cli(words, { variables: { FEEDS_FROM: page } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('boc.index.json') });
    expect(stderr).toMatch(/^kept 1 .*\nalmanac: its responses can't be read: .*HTML page.*\n$/);
    await rm(page, { recursive: true });
  });

  it('has to have the key of a source, and is not for sources of your own', async () => {
    const { code, stderr } = await cli(['feed', 'record', 'FRED', '--out', folder]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'almanac: needs_key: FRED_API_KEY\n' });
    const sources = await mkdtemp(join(tmpdir(), 'almanac-sources-'));
    await writeFile(join(sources, 'desk.yaml'), 'key: DESK\nname: Treasury desk\n');
    const own = await cli(['feed', 'record', 'DESK'], { variables: { SOURCES_DIR: sources } });
    useSources({});
    await rm(sources, { recursive: true });
    expect(own.stderr).toBe('almanac: DESK is a source of your own: its file may hold secrets\n');
  });
});

test('feed list tells which keys are there', async () => {
  const { stdout } = await cli(['feed', 'list'], { variables: { FRED_API_KEY: 'abc' } });
  expect(stdout.trimEnd().split('\n')).toHaveLength(110);
  expect(stdout).toMatch(/^FRED +Federal.* present$/m);
  expect(stdout).toMatch(/^TCMB .* missing: TCMB_API_KEY$/m);
  expect(stdout).toMatch(/^ECB .* none needed$/m);
  expect(stdout).not.toContain('abc');
});

describe('blend compute', () => {
  const input = {
    asOf: '2026-03-03',
    rows: [
      ['ECB', '2026-03-02', 'EUR', 'USD', 1.25],
      ['NB', '2026-03-03', 'USD', 'NOK', 9.5],
    ],
  };

  it('prints the blend with pegs applied', async () => {
    const { code, stdout } = await cli(['blend', 'compute', '-'], {
      stdin: JSON.stringify(input),
      ...nowhere,
    });
    const { blended, anchored } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(blended).toEqual([
      { date: '2026-03-02', quote: 'EUR', rate: 0.8, providers: [['ECB', '2026-03-02', 0.8, 0]] },
      { date: '2026-03-03', quote: 'NOK', rate: 9.5, providers: [['NB', '2026-03-03', 9.5, 0]] },
    ]);
    expect(anchored).toContainEqual({ date: '2026-03-03', quote: 'AED', rate: 3.6725 });
  });

  it.each([
    ['no JSON', 'rates', /^almanac: -: not JSON\n$/],
    ['a row without a rate', '{"asOf":"2026-03-03","rows":[["ECB","2026-03-02","EUR","USD"]]}', /rows\.0/],
  ])('refuses %s', async (_, stdin, message) => {
    const { code, stderr, stdout } = await cli(['blend', 'compute', '-'], { stdin });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  const vectors = join(projectFolder, '..', 'shared', 'blend');
  const names = existsSync(vectors) ? readdirSync(vectors).filter((name) => name.startsWith('vector-')) : [];
  test.skipIf(names.length === 0)(
    names.length > 0 ? 'has the shape of the vectors' : `skipped, none at ${vectors}`,
    async () => {
      const path = join(vectors, names[0] ?? '');
      const { stdout } = await cli(['blend', 'compute', path]);
      const [given, wanted] = [JSON.parse(stdout), JSON.parse(readFileSync(path, 'utf8'))];
      const withoutRates = (key: string, value: unknown) =>
        typeof value === 'number' && value !== 0 && value !== 1 ? key : value;
      const shape = (value: unknown) => JSON.parse(JSON.stringify(value, withoutRates));
      expect(shape(given.blended)).toEqual(shape(wanted.blended));
      // The vectors know of no peg that has ended.
      const pegged = wanted.anchored.filter(({ quote }: { quote: string }) => quote !== 'ANG');
      expect(shape(given.anchored)).toEqual(shape(pegged));
    },
  );
});

describe('an invalid command line', () => {
  it.each([
    ['nothing', []],
    ['an unknown command', ['frobnicate']],
    ['an unknown provider', ['feed', 'fetch', 'XYZ']],
    ['a day that does not exist', ['feed', 'fetch', 'ECB', '--from', '2026-02-30']],
    [
      'a window that ends before it begins',
      ['feed', 'fetch', 'ECB', '--from', '2026-03-02', '--to', '2026-03-01'],
    ],
    ['no recording', ['feed', 'replay', 'ECB']],
    ['neither a provider nor all', ['ingest']],
    ['both', ['ingest', 'ECB', '--all']],
  ])('ends with 2: %s', async (_, words) => {
    const { code, stdout, stderr } = await cli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('has help with examples', async () => {
    const { code, stdout } = await cli(['ingest', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('npm run --silent cli -- ingest --all');
  });
});

describe('a source that is left out', () => {
  const variables = { ...nowhere.variables, PROVIDERS_EXCEPT: 'BDL' };

  it.each(['feed fetch', 'ingest'])('is refused by %s, which says why', async (command) => {
    const { code, stdout, stderr } = await cli([...command.split(' '), 'bdl'], { variables });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('PROVIDERS_EXCEPT leaves it out.');
  });

  it('is not listed', async () => {
    const keys = async (more: Record<string, string>) =>
      (await cli(['feed', 'list'], { variables: more })).stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(await keys({})).toContain('BDL');
    expect(await keys(variables)).not.toContain('BDL');
  });

  it('must be one', async () => {
    expect(await cli(['feed', 'list'], { variables: { PROVIDERS_EXCEPT: 'BDL,XYZ' } })).toEqual({
      code: 78,
      stdout: '',
      stderr: 'almanac: PROVIDERS_EXCEPT: there is no provider XYZ\n',
    });
  });
});

test('an invalid variable and an unreachable database are reported in one line', async () => {
  const invalid = await cli(['feed', 'list'], { variables: { PORT: 'eighty' } });
  expect(invalid.code).toBe(78);
  expect(invalid.stderr).toMatch(/^almanac: invalid configuration: PORT: [^\n]*\n$/);
  for (const name of ['FEEDS_FROM', 'SOURCES_DIR']) {
    const none = join(folder, 'none');
    const { code, stderr } = await cli(['feed', 'fetch', 'ECB'], { variables: { [name]: none } });
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringMatching(new RegExp(`^almanac: ${name}: ${none} [^\\n]*\\n$`)),
    });
  }
  const csv = join(folder, 'rates.csv');
  await writeFile(csv, 'provider,date,base,quote,rate\n');
  const started = Date.now();
  const refused = await cli(['rates', 'import', csv], nowhere);
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'almanac: cannot connect to 127.0.0.1:9 (ECONNREFUSED)\n',
  });
  expect(Date.now() - started).toBeLessThan(15_000);
});
