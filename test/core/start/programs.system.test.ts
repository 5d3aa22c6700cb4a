import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { dayNumber, eachDay, isWeekend } from '../../../core/domain/dates.js';
import { dataFile, projectFolder } from '../../../core/process/project-files.js';
import { answer, httpStub } from '../../support/http-stub.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { buildWithFewRates, startService } from '../../support/service.js';
import { endWithTest } from '../support.js';

/**
 * The Bank of Mongolia is asked a few seconds after the start and after each of its slots, and gives its whole history at
 * once. It is Friday.
 */
const START = '2026-03-20T01:58:30Z';
/** In place of the bank's own slots, so that the next one is never far: each minute. */
const SLOTS = '* * * * *';
const YESTERDAY = '2026-03-19';
const FIRST_DAY = '2001-01-02';

/** The programs with the bank's slots as above, and the newest of the first rates: all take half a minute to be loaded. */
async function programs(): Promise<string> {
  const providers = JSON.parse(await readFile(dataFile('providers.json'), 'utf8')) as { key: string }[];
  const changed = providers.map((one) => (one.key === 'BOM' ? { ...one, publish_schedule: SLOTS } : one));
  return buildWithFewRates({ 'providers.json': JSON.stringify(changed) });
}

/** The internet: the one bank, whose rate of yesterday can be corrected, and nothing else. */
async function openInternet() {
  const stub = await httpStub({ '*': answer('not here', 404) });
  onTestFinished(() => stub.close());
  const bank = { port: new URL(stub.url).port, yesterday: 3500, windows: [] as string[] };
  stub.route('POST /en/currency-rate-movement/data', (request, response) => {
    const { startDate, endDate } = JSON.parse(request.body) as { startDate: string; endDate: string };
    bank.windows.push(`${startDate}..${endDate}`);
    const days = [...eachDay(startDate, endDate < YESTERDAY ? endDate : YESTERDAY)];
    const data = days
      .filter((date) => !isWeekend(date))
      .map((date) => {
        const rate = date === YESTERDAY ? bank.yesterday : 1000 + (dayNumber(date) - 11_000) / 10;
        return { RATE_DATE: date, USD: String(rate) };
      });
    answer({ success: true, data })(request, response);
  });
  return bank;
}

const patiently = { timeout: 240_000, interval: 200 };

it.skipIf(process.platform !== 'linux')(
  'the programs come from an empty folder to a rate that a bank corrects, and let commands work beside them',
  { timeout: 600_000 },
  async () => {
    const bank = await openInternet();
    const [folder, build] = [await temporaryFolder(), await programs()];
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const service = startService(
      {
        NODE_OPTIONS: `--import ${join(projectFolder, 'test', 'support', 'pretend.mjs')}`,
        PRETEND_START_MS: String(Date.parse(START)),
        PRETEND_UPTIME_MS: String(process.hrtime.bigint() / 1_000_000n),
        PRETEND_BANKS_PORT: bank.port,
        ...{ DATA_DIR: folder, SCHEDULE: 'on', BOOTSTRAP: 'on', RATE_LIMITS: 'currency=100000' },
      },
      build,
    );
    endWithTest(service);
    const url = await service.listening;
    const read = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      const body = await response.text();
      expect(response.status, body).toBe(200);
      return JSON.parse(body);
    };
    const untilBankHas = (row: object, date = '') =>
      vi.waitFor(async () => {
        const rows = await read(`/v2/rates?providers=BOM&base=USD&quotes=MNT&date=${date || '2026-03-20'}`);
        expect(rows).toMatchObject([row]);
      }, patiently);

    // What ships with the project is there before any bank has answered.
    await vi.waitFor(async () => expect((await read('/v2/rates')).length).toBeGreaterThan(100), patiently);
    const phrases = JSON.parse(await readFile(dataFile('phrases.json'), 'utf8')) as string[];
    expect(phrases).toContain((await read('/no')).reason);

    // The pages say when a source is expected only where a worker reads it.
    const headers = { accept: 'text/html' };
    const status = async () => (await fetch(`${url}/status?state=all`, { headers })).text();
    await vi.waitFor(async () => expect(await status()).toContain('data-label="Next due"><time '), patiently);

    // The first look, and then history.
    await untilBankHas({ date: YESTERDAY, rate: 3500 });
    await untilBankHas({ date: FIRST_DAY }, FIRST_DAY);
    const ofSlots = '2026-03-12..2026-03-20';
    // On a busy machine a slot comes early, or a window is asked for twice.
    const others = new Set(bank.windows.filter((window) => window !== ofSlots));
    expect([...others]).toEqual(['2026-03-07..2026-03-20', `${FIRST_DAY}..2026-03-06`]);

    // The bank corrects a rate, and is asked again at its slot.
    bank.yesterday = 3600;
    await untilBankHas({ date: YESTERDAY, rate: 3600 });
    expect(bank.windows.slice(2)).toContain(ofSlots);
    const [blended] = await read(`/v2/rates?base=USD&quotes=MNT&date=${YESTERDAY}&expand=providers`);
    expect(blended.providers).toContainEqual(expect.objectContaining({ key: 'BOM', rate: 3600 }));

    const file = join(folder, 'rates.csv');
    await writeFile(file, `provider,date,base,quote,rate\nBOM,${YESTERDAY},USD,MNT,3700\n`);
    const cli = [join(build, 'worker', 'cli', 'main.js'), 'rates', 'import', file];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, cli, { env });
    expect(stdout + stderr).toContain('0 new, 1 corrected, 0 unchanged');
    await untilBankHas({ date: YESTERDAY, rate: 3700 });
  },
);
