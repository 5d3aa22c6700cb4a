import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { dayNumber, eachDay, isWeekend } from '../../../core/domain/dates.js';
import { dataFile, projectFolder } from '../../../core/process/project-files.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { testDatabase } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import {
  buildService,
  buildWithData,
  firstRatesFrom,
  type Service,
  startService,
} from '../../support/service.js';

/**
 * The Bank of Mongolia is asked a few seconds after the start and after each of its slots, and gives its whole history at
 * once. It is Friday.
 */
const START = '2026-03-20T01:58:30Z';
/** In place of the bank's own slots, so that the next one is never far: each minute. */
const SLOTS = '* * * * *';
const YESTERDAY = '2026-03-19';
const FIRST_DAY = '2001-01-02';

beforeAll(buildService);

/** The programs with the bank's slots as above, and the newest of the first rates: all take half a minute to be loaded. */
async function programs(): Promise<string> {
  const providers = JSON.parse(await readFile(dataFile('providers.json'), 'utf8')) as { key: string }[];
  const changed = providers.map((one) => (one.key === 'BOM' ? { ...one, publish_schedule: SLOTS } : one));
  return buildWithData({
    'providers.json': JSON.stringify(changed),
    'bootstrap.csv.gz': await firstRatesFrom('2026-03-01'),
  });
}

/** The internet: the one bank, whose rate of yesterday can be corrected, and nothing else. */
async function openInternet({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const stub = await httpStub({ '*': answer('not here', 404) });
  const bank = { yesterday: 3500, windows: [] as { startDate: string; endDate: string }[] };
  stub.route('POST /en/currency-rate-movement/data', (request, response) => {
    const window = JSON.parse(request.body) as { startDate: string; endDate: string };
    bank.windows.push(window);
    const last = window.endDate < YESTERDAY ? window.endDate : YESTERDAY;
    const data = [...eachDay(window.startDate, last)]
      .filter((date) => !isWeekend(date))
      .map((date) => {
        const rate = date === YESTERDAY ? bank.yesterday : 1000 + (dayNumber(date) - 11_000) / 10;
        return { RATE_DATE: date, USD: String(rate) };
      });
    answer({ success: true, data })(request, response);
  });
  onTestFinished(() => stub.close());
  return { stub, bank };
}

async function startEverything(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  stub: HttpStub,
  build: string,
  variables: Record<string, string>,
): Promise<Service> {
  const withOurs = {
    NODE_OPTIONS: `--import ${join(projectFolder, 'test', 'support', 'pretend.mjs')}`,
    PRETEND_START_MS: String(Date.parse(START)),
    PRETEND_UPTIME_MS: String(process.hrtime.bigint() / 1_000_000n),
    PRETEND_BANKS_PORT: new URL(stub.url).port,
    SCHEDULE: 'on',
    BOOTSTRAP: 'on',
    RATE_LIMIT_CURRENCY: '100000',
    ...variables,
  };
  const service = startService(withOurs, build);
  onTestFinished(async () => {
    service.process.kill('SIGTERM');
    await service.ended;
  });
  return service;
}

async function read(url: string, path: string) {
  const response = await fetch(`${url}${path}`);
  const body = await response.text();
  expect(response.status, body).toBe(200);
  return JSON.parse(body);
}

const patiently = { timeout: 240_000, interval: 500 };

/** From the first request to a rate that the bank corrects. */
async function expectTheWholeWay(service: Service, bank: Awaited<ReturnType<typeof openInternet>>['bank']) {
  const url = await service.listening;

  // What ships with the project is there before any bank has answered.
  await vi.waitFor(async () => expect((await read(url, '/v2/rates')).length).toBeGreaterThan(100), patiently);
  const phrases = JSON.parse(await readFile(dataFile('phrases.json'), 'utf8')) as string[];
  expect(phrases).toContain((await read(url, '/no')).reason);

  // The pages say when a source is expected only where a worker reads it.
  const status = async () =>
    (await fetch(`${url}/status?state=all`, { headers: { accept: 'text/html' } })).text();
  await vi.waitFor(async () => expect(await status()).toMatch(/data-label="Next">\d/), patiently);

  // The first look, and then history.
  const ofBank = async (more: string) => read(url, `/v2/rates?providers=BOM&base=USD&quotes=MNT${more}`);
  await vi.waitFor(
    async () => expect(await ofBank('')).toMatchObject([{ date: YESTERDAY, rate: 3500 }]),
    patiently,
  );
  await vi.waitFor(
    async () => expect(await ofBank(`&date=${FIRST_DAY}`)).toMatchObject([{ date: FIRST_DAY }]),
    patiently,
  );
  const ofSlots = '2026-03-12..2026-03-20';
  // On a busy machine a slot comes early, or a window is asked for twice.
  const asked = () => bank.windows.map(({ startDate, endDate }) => `${startDate}..${endDate}`);
  const others = new Set(asked().filter((window) => window !== ofSlots));
  expect([...others]).toEqual(['2026-03-07..2026-03-20', `${FIRST_DAY}..2026-03-06`]);

  // The bank corrects a rate, and is asked again at its slot.
  bank.yesterday = 3600;
  await vi.waitFor(
    async () => expect(await ofBank('')).toMatchObject([{ date: YESTERDAY, rate: 3600 }]),
    patiently,
  );
  expect(asked().slice(2)).toContain(ofSlots);
  const blended = await read(url, `/v2/rates?base=USD&quotes=MNT&date=${YESTERDAY}&expand=providers`);
  expect(blended[0].providers).toContainEqual(expect.objectContaining({ key: 'BOM', rate: 3600 }));
  return url;
}

const linux = process.platform === 'linux';

describe.skipIf(!linux)(
  'the programs, as they start on a new machine,',
  { concurrent: true, timeout: 600_000 },
  () => {
    it('come from nothing to a corrected rate, and let commands work beside them', async (context) => {
      const { stub, bank } = await openInternet(context);
      const folder = await temporaryFolder();
      context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const build = await programs();
      const service = await startEverything(context, stub, build, { DATA_DIR: folder });
      const url = await expectTheWholeWay(service, bank);

      const place = await mkdtemp(join(tmpdir(), 'almanac-import-'));
      context.onTestFinished(() => rm(place, { recursive: true, force: true }));
      const file = join(place, 'rates.csv');
      await writeFile(file, `provider,date,base,quote,rate\nBOM,${YESTERDAY},USD,MNT,3700\n`);
      const cli = [join(build, 'worker', 'cli', 'main.js'), 'rates', 'import', file];
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, cli, { env });
      expect(stdout + stderr).toContain('0 new, 1 corrected, 0 unchanged');
      await vi.waitFor(async () => {
        const rows = await read(url, '/v2/rates?providers=BOM&base=USD&quotes=MNT');
        expect(rows).toMatchObject([{ date: YESTERDAY, rate: 3700 }]);
      });
    });

    it.skipIf(redisMissing)('do the same on a PostgreSQL and a Redis of their own', async (context) => {
      const { stub, bank } = await openInternet(context);
      const database = await testDatabase();
      context.onTestFinished(() => database.close());
      const redis = await testRedis();
      const client = new Redis(redis.url);
      context.onTestFinished(async () => {
        await client.quit();
      });
      const build = await programs();
      const service = await startEverything(context, stub, build, {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
      });
      await expectTheWholeWay(service, bank);

      // Queues, limits and the cache are in Redis, and both programs announce and listen there.
      const keys = await client.keys('*');
      expect(keys).toContainEqual(expect.stringMatching(/^almanac:ingest:/));
      expect(keys).toContainEqual(expect.stringMatching(/^almanac:cache:/));
      expect(keys).toContainEqual(expect.stringMatching(/currency/));
      const number = new URL(redis.url).pathname.slice(1);
      const clients = String(await client.client('LIST')).split('\n');
      const listening = clients.filter((line) => line.includes(` db=${number} `) && / sub=[1-9]/.test(line));
      expect(listening.length).toBeGreaterThan(0);
      const { rows } = await database.pool.query(`select to_regclass('bullmq.job') as queue`);
      expect(rows).toEqual([{ queue: null }]);
    });
  },
);
