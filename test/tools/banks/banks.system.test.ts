import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authority, createAuthority } from '../../../tools/banks/authority.js';
import { type Cell, type Expected, expectationOf, rehearse } from '../../../tools/banks/rehearsal.js';
import { type ScenarioName, scenarios } from '../../../tools/banks/scenarios.js';
import { startBanks } from '../../../tools/banks/start-banks.js';
import { errorTable, scenarioTable, sourceTable } from '../../../tools/banks/table.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { readRecordings } from '../../../worker/feeds/recordings.js';
import { loadFeed } from '../../../worker/feeds/registry.js';
import { KEYS, recordBanks } from './recordings.js';

const log = pino({ level: 'silent' });
let folder: string;
let authority: Authority;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'banks-'));
  await recordBanks(folder);
  authority = await createAuthority();
});
afterAll(() => rm(folder, { recursive: true }));

async function expectedOf(key: string): Promise<Expected> {
  const [recording] = await readRecordings(folder, key);
  if (!recording) throw new Error(`no recording of ${key}`);
  const expected = await expectationOf(await loadFeed(key), recording, log);
  if ('without' in expected) throw new Error(expected.without);
  return expected;
}

/** What does not end as it does for ECB, whose one response is CSV over HTTPS. */
const OTHERS: Partial<Record<ScenarioName, Readonly<Record<string, string>>>> = {
  'no-intermediate': { MNB: 'right', RBV: 'right' },
  'later-challenge': { NBC: 'error', BCN: 'error' },
};
const EITHER: Partial<Record<ScenarioName, string>> = {
  ...{ 'later-challenge': 'right', 'wrong-charset': 'right' },
  ...{ 'no-intermediate': 'error', 'known-browsers': 'error', 'raw-deflate': 'error', large: 'error' },
};

test.concurrent.each(Object.keys(scenarios) as ScenarioName[])('%s ends as it has to', async (name) => {
  const readings = await Promise.all(
    KEYS.map(async (key) => [key, await rehearse(await expectedOf(key), name, { authority, log })] as const),
  );
  for (const [key, cells] of readings) {
    const ends = scenarios[name].ends.map((end) =>
      end === 'either' ? (OTHERS[name]?.[key] ?? EITHER[name]) : end,
    );
    expect([key, ...cells.map(({ outcome }) => outcome)]).toEqual([key, ...ends]);
    expect(cells.map(({ fault }) => fault)).toEqual(ends.map(() => undefined));
  }
});

test('requests, connections and bytes are counted', async () => {
  const cells = async (name: ScenarioName, key = 'NBC') =>
    rehearse(await expectedOf(key), name, { authority, log });
  const [plain] = await cells('as-recorded');
  expect(plain?.requests).toBe(4);
  expect([1, 2]).toContain(plain?.connections);
  expect(await cells('all-resets')).toMatchObject([{ requests: 0, connections: 4, bytes: 0 }]);
  expect(await cells('some-429')).toMatchObject([{ requests: 6 }]);
  expect(await cells('all-429')).toMatchObject([{ requests: 4 }]);
  expect((await cells('large', 'ECB'))[0]?.bytes).toBeGreaterThan(32 * 1024 * 1024);
});

type Rows = Expected['run']['rows'];
const anotherRate = (): Rows => new Map([['2026-03-02 EUR USD', 1.07]]);
const oneMore = (rows: Rows): Rows => new Map([...rows, ['2026-03-02 EUR CHF', 0.9]]);

test.each<[what: string, fault: string, change: (rows: Rows) => Rows, skipped?: number]>([
  ['another, or was not there', 'wrong: 2026-03-03 EUR USD is 1.09, not there', anotherRate],
  ['missing', 'lost: 3 of 4 rows', oneMore],
  ['missing, and records are counted instead', 'counted: 3 of 4 rows', oneMore, -1],
])('a reading is at fault where a rate is %s', async (_, fault, change, skipped) => {
  const { run, ...expected } = await expectedOf('ECB');
  const changed = { ...run, rows: change(run.rows), skipped: skipped ?? run.skipped };
  const [cell] = await rehearse({ ...expected, run: changed }, 'as-recorded', { authority, log });
  expect(cell).toMatchObject({ outcome: fault.split(':')[0], fault });
});

describe('banks that are started together', () => {
  const names: Readonly<Record<string, ScenarioName>> = { ECB: 'moved', RBV: 'outage', NBC: 'cookies' };
  const RIEL = 'https://www.nbc.gov.kh/english/economic_research/exchange_rate.php';

  test('are each in a scenario of their own, under their own names', async () => {
    let now = Date.parse('2026-03-04T10:00:00Z');
    const banks = await startBanks({
      folder,
      keys: KEYS,
      scenarioOf: (key) => scenarios[names[key] ?? 'as-recorded'],
      clock: () => new Date(now),
    });
    const client = openHttpClient({ ...banks.client, limits: { attempts: 1 } });
    try {
      const redirect = 'a redirect to https://moved.example/service';
      await expect(client.get('https://data-api.ecb.europa.eu/service')).rejects.toThrow(redirect);
      const vatu = 'https://www.rbv.gov.vu/index.php/en/exchange-rates?limit1=100000';
      await expect(client.get(vatu)).rejects.toThrow('status 503');
      now += 3_600_000;
      expect((await client.get(vatu)).text()).toContain('02 March 2026');
      expect(banks.counts('RBV').requests).toBe(2);

      const cookies = ['PHPSESSID=2026-03-02; path=/', 'lang=en; path=/', 'visit=1; Path=/; HttpOnly'];
      expect((await client.get(RIEL)).cookies).toEqual(cookies);
      await expect(client.get(RIEL)).rejects.toThrow('status 403');

      const forint = await client.post('http://www.mnb.hu/arfolyamok.asmx', { body: '' });
      expect(forint.text()).toContain('402,61');
      await expect(client.get('https://www.mnb.hu/')).rejects.toThrow('could not be reached (ENOTFOUND)');
      await expect(client.get('http://www.mnb.hu/other')).rejects.toThrow('status 421');
      expect(() => banks.counts('BOC')).toThrow('no bank BOC');
    } finally {
      await client.close();
      await banks.close();
    }
  });

  test('give their responses again once their recordings are begun anew', async () => {
    const banks = await startBanks({ folder, keys: ['NBC'], scenarioOf: () => scenarios['as-recorded'] });
    const client = openHttpClient(banks.client);
    const session = async () => (await client.get(RIEL)).cookies[0];
    try {
      const sessions = [await session(), await session()];
      expect(sessions).toEqual(['PHPSESSID=2026-03-02; path=/', 'PHPSESSID=2026-03-03; path=/']);
      banks.rewind();
      expect([await session(), await session()]).toEqual(sessions);
    } finally {
      await client.close();
      await banks.close();
    }
  });

  test('say what they could not answer', async () => {
    const reply = () => Promise.reject(new Error('no reply'));
    const broken = { does: 'fails', ends: ['error'], reply } as const;
    const banks = await startBanks({ folder, keys: ['ECB'], scenarioOf: () => broken });
    const client = openHttpClient({ ...banks.client, limits: { attempts: 1 } });
    await expect(client.get('https://data-api.ecb.europa.eu/service')).rejects.toThrow('connection broke');
    await client.close();
    await expect(banks.close()).rejects.toMatchObject({ errors: [new Error('no reply')] });
  });
});

test('a recording that gives nothing is left out', async () => {
  const { recording } = await expectedOf('ECB');
  const without = expect.stringContaining('the recording has no answer');
  expect(await expectationOf(await loadFeed('BOC'), recording, log)).toEqual({ without });
});

test('the tables count outcomes, errors without their addresses, and requests', () => {
  const cell = (key: string, scenario: ScenarioName, outcome: Cell['outcome'], what = ''): Cell => ({
    ...{ key, recording: key.toLowerCase(), scenario, outcome, what, fault: undefined },
    ...{ connections: 1, requests: 2, bytes: 300 },
  });
  const cells = [
    cell('ECB', 'as-recorded', 'right'),
    cell('MNB', 'as-recorded', 'lost'),
    ...['ECB', 'MNB', 'NBC', 'RBV', 'BCN'].map((key) =>
      cell(key, 'all-429', 'error', `https://${key}.example/a?b=1: responded with status 429 ("${key}") 12`),
    ),
  ];
  const asRecorded = '| as-recorded | answers as it did when it was recorded | right | 1 |  |  | 1 |  |\n';
  expect(scenarioTable(cells)).toContain(asRecorded);
  expect(errorTable(cells)).toContain(
    '| all-429 | …: responded with status 429 ("…") # | 5 | ECB, MNB, NBC, RBV and 1 more |\n',
  );
  expect(sourceTable(cells)).toContain('| ECB | 2 | 300 | 2 (as-recorded) |\n');
});
