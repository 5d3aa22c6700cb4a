import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { systemClock, today } from '../../../core/domain/clock.js';
import { addDays } from '../../../core/domain/dates.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { stopSignal } from '../../stop-signal.js';
import { type Bank, openBank, type Published } from '../banks.js';
import { freePort } from '../free-port.js';
import { type Load, startLoad } from '../load.js';
import { type Operator, openOperator } from '../operator.js';
import { waitUntil } from '../wait-until.js';
import { documented } from './documented.js';
import { openStack, type Stack } from './stack.js';

/** Requests a second to the proxy. */
const PER_SECOND = 20;
const LIMIT_MS = 14 * 60_000;
const VISIBLE_MS = 120_000;
const BANK_DAYS = 30;
const EARLIER_IMAGE = 'almanac:earlier';
/** How many failed requests are printed. */
const FAILURES_SHOWN = 20;

const ratesReply = z.array(z.object({ date: z.string(), quote: z.string(), rate: z.number() }));

interface Context {
  stack: Stack;
  url: string;
  bank: Bank;
  operator: Operator;
  load: Load;
  folder: string;
  signal: AbortSignal;
}

export const usage = `rehearse-compose

The Compose file from build to restore: every container killed, servers restarted, a correction, both backups. Needs
Docker.
`;

/** Exit code: 0 if every check passed, else 1. */
export async function run(): Promise<number> {
  const signal = stopSignal(LIMIT_MS);
  const folder = await mkdtemp(join(tmpdir(), 'almanac-compose-'));
  await chmod(folder, 0o755); // The worker reads it as another user.
  const until = today(systemClock);
  const bank = await openBank('BOC', { from: addDays(until, -BANK_DAYS), to: until }, folder);
  const token = randomBytes(18).toString('base64url');
  const port = await freePort();
  const project = `almanac-rehearsal-${process.pid}`;
  const variables = {
    PORT: String(port),
    RECORDINGS: folder,
    ADMIN_TOKEN: token,
    API_SCALE: '2',
    WORKER_SCALE: '2',
  };
  const stack = openStack(project, variables, signal);
  const url = `http://127.0.0.1:${port}`;
  let failures = 0;
  try {
    await step('build', () => build(stack));
    const before = await earlierImage(stack);
    const earlier = openStack(project, { ...variables, ALMANAC_IMAGE: before }, signal);
    await step(`up --wait, ${before}`, () => up(earlier));
    await step('real rates through the proxy', () => realRates(url));
    const load = startLoad({
      urls: [url],
      requests: ['/v2/rates', '/v2/rates?base=USD&quotes=EUR,GBP', '/v2/rate/EUR/USD', '/v2/currencies'].map(
        (path) => ({ path, readsDatabase: false }),
      ),
      perSecond: PER_SECOND,
      onFailure(what) {
        failures++;
        if (failures <= FAILURES_SHOWN) print(`FAILED: ${new Date().toISOString()} ${what}`);
      },
    });
    try {
      const operator = openOperator([url], token, signal);
      await underLoad({ stack, url, bank, operator, load, folder, signal });
    } finally {
      await load.stop();
    }
    const { sent, failed } = load.total();
    print(`requests at the proxy: ${sent} sent, ${failed} failed`);
    await step('down', async () => {
      await stack.compose('down');
      return 'stopped and removed; the data stay in the volume';
    });
    return failed === 0 ? 0 : 1;
  } catch (error) {
    print(`FAILED: ${String(signal.aborted ? signal.reason : error)}`);
    const cleanUp = openStack(project, variables, AbortSignal.timeout(60_000));
    print(await cleanUp.compose('ps', '--all').catch(String));
    print(
      await cleanUp.compose('logs', '--tail', '20', 'worker', 'postgres', 'redis', 'proxy').catch(String),
    );
    return 1;
  } finally {
    const cleanUp = openStack(project, variables, AbortSignal.timeout(60_000));
    await cleanUp
      .compose('down', '--volumes', '--timeout', '5')
      .catch((error: unknown) => print(String(error)));
    await rm(folder, { recursive: true, force: true });
  }
}

async function underLoad(context: Context): Promise<void> {
  const { stack, load } = context;
  await step('ops/roll', () => roll(context));
  await step('the first correction', () => firstRates(context));
  const containers = await stack.containers();
  for (const container of containers.filter(({ service }) => service !== 'proxy')) {
    await step(`kill ${container.service} ${container.name.split('-').at(-1)}`, async () => {
      const ms = await stack.killAndStart(container);
      return `healthy again after ${seconds(ms)}; ${countsOf(load)}`;
    });
  }
  for (const service of ['postgres', 'redis']) {
    await step(`restart ${service}`, async () => {
      await stack.compose('restart', service);
      await stack.compose('up', '--detach', '--wait', '--no-recreate');
      return countsOf(load);
    });
  }
  await step('an API killed while PostgreSQL is away', async () => {
    const api = containers.find(({ service }) => service === 'api');
    if (api === undefined) throw new Error('there is no API');
    await stack.compose('stop', 'postgres');
    const ms = await stack.killAndStart(api);
    await stack.compose('up', '--detach', '--wait', '--no-recreate');
    return `healthy again after ${seconds(ms)}, without PostgreSQL; ${countsOf(load)}`;
  });
  await step('a correction', () => correct(context));
  await step('backup and restore, as CSV', () => csvBackup(context));
  await step("backup and restore, PostgreSQL's own tools", () => dumpAndRestore(context));
}

async function build(stack: Stack): Promise<string> {
  const printed = await stack.shell('docker compose build 2>&1', process.cwd());
  const images = new Set(printed.match(/naming to \S+/g));
  if (images.size > 1) throw new Error(`more than one image is built: ${[...images].join(', ')}`);
  return 'one image for both programs';
}

/** The image of an earlier version, if `.ci/containers` could make it: else an upgrade is one to the same version. */
async function earlierImage(stack: Stack): Promise<string> {
  const images = await stack.shell('docker images --format "{{.Repository}}:{{.Tag}}"', process.cwd());
  return images.split('\n').includes(EARLIER_IMAGE) ? EARLIER_IMAGE : 'almanac';
}

/** As docs/upgrading.md says it, but for what was built already. */
async function roll({ stack, load }: Context): Promise<string> {
  const old = await stack.containers();
  await stack.shell('ops/roll --no-build', projectFolder);
  const now = new Set((await stack.containers()).map(({ id }) => id));
  const wrong = old.filter(({ id, service }) => now.has(id) === ['api', 'worker'].includes(service));
  if (now.size !== old.length || wrong.length > 0) {
    const names = (some: typeof old) => some.map(({ name }) => name).join();
    throw new Error(`of ${names(old)} there are ${now.size}: ${names(wrong)} kept, or replaced, wrongly`);
  }
  const replaced = old.filter(({ id }) => !now.has(id));
  return `${replaced.length} containers replaced; ${countsOf(load)}`;
}

async function up(stack: Stack): Promise<string> {
  await stack.compose('up', '--detach', '--wait');
  return healthOf(stack);
}

async function healthOf(stack: Stack): Promise<string> {
  const states = (await stack.containers()).map(({ service, health }) => `${service} ${health || 'running'}`);
  return states.sort().join(', ');
}

/** The rates that ship with the project are banks' own. */
async function realRates(url: string): Promise<string> {
  const response = await fetch(`${url}/v2/rates`);
  const rows = ratesReply.parse(await response.json());
  const dollar = rows.find(({ quote }) => quote === 'USD');
  if (rows.length < 100 || !dollar || dollar.rate < 0.5 || dollar.rate > 2) {
    throw new Error(`the rates are not real: ${rows.length} rows, ${JSON.stringify(dollar)}`);
  }
  return `${rows.length} rates, 1 EUR = ${dollar.rate} USD on ${dollar.date}`;
}

async function firstRates(context: Context): Promise<string> {
  const { bank, operator, signal } = context;
  const dates = [...bank.rows.values()].map(({ date }) => date);
  const [from = '', to = ''] = [dates[0], dates.at(-1)];
  const id = await operator.ingest(bank.key, { from, to });
  await waitUntil('the ingest', async () => (await operator.job(id))?.state === 'completed', {
    limitMs: VISIBLE_MS,
    everyMs: 250,
    signal,
  });
  return `${bank.rows.size} rows of ${bank.key}; ${await correct(context)}`;
}

/** The bank restates a rate; the change must show in both APIs. */
async function correct({ stack, bank, operator, signal }: Context): Promise<string> {
  const row = peso(bank);
  const rate = Number((row.rate * 1.02).toPrecision(6));
  const started = performance.now();
  await bank.correct(row, rate);
  await operator.ingest(bank.key, { from: row.date, to: row.date });
  const ms = await Promise.all(
    [1, 2].map(async (api) => {
      const changed = async () => {
        const served = (await servedRate(stack, api, row)) ?? Number.NaN;
        return Math.abs(served * rate - 1) < 1e-3;
      };
      await waitUntil(`the correction at API ${api}`, changed, { limitMs: VISIBLE_MS, everyMs: 250, signal });
      return performance.now() - started;
    }),
  );
  return `a correction of ${row.date} was served by both APIs after ${ms.map(seconds).join(' and ')}`;
}

/** The newest rate that the bank has for the peso. */
function peso(bank: Bank): Published {
  const row = [...bank.rows.values()].findLast(({ base }) => base === 'MXN');
  if (!row) throw new Error('the bank has no rate');
  return row;
}

/** Units of the row's base for one unit of its quote, as one API gives them. */
async function servedRate(stack: Stack, api: number, row: Published): Promise<number | undefined> {
  const { date, base, quote } = row;
  const path = `/v2/rates?providers=BOC&date=${date}&base=${quote}&quotes=${base}`;
  return ratesReply.safeParse(await stack.ask(api, path)).data?.[0]?.rate;
}

/** As docs/deployment.md says it: export, then a correction, which an import of the export takes back. */
async function csvBackup(context: Context): Promise<string> {
  const { stack, folder } = context;
  const [exporting, importing] = documented('As CSV, whatever the version', 'sh');
  if (importing === undefined) throw new Error('docs/deployment.md does not say how to import');
  await stack.shell(exporting, folder);
  const digest = () => stack.shell('gunzip -c rates.csv.gz | sha256sum', folder);
  const before = await digest();
  await correct(context);
  await stack.shell(importing, folder);
  await stack.shell(exporting, folder);
  if ((await digest()) !== before) throw new Error('the export after the import is another one');
  const lines = await stack.shell('gunzip -c rates.csv.gz | wc -l', folder);
  return `${lines.trim()} lines, the same after the import`;
}

/** As docs/deployment.md says it: a dump, then a correction, which the restore takes back, in the APIs too. */
async function dumpAndRestore(context: Context): Promise<string> {
  const { stack, folder, signal } = context;
  const version = async (program: string) =>
    /\d+/.exec(await stack.compose('exec', '-T', 'postgres', program, '--version'))?.[0];
  const [tool, server] = [await version('pg_dump'), await version('postgres')];
  if (tool !== server) return `SKIPPED: the image has pg_dump ${tool} for a server ${server}`;
  const [dump, restore] = documented("PostgreSQL's own tools", 'sh');
  if (restore === undefined) throw new Error('docs/deployment.md does not say how to restore');
  const [fingerprint] = documented('Try it', 'sql');
  const look = (database: string) =>
    stack.compose('exec', '-T', 'postgres', 'psql', '-U', 'almanac', '-d', database, '-Atc', fingerprint);
  await stack.shell(dump, folder);
  const [before, row] = [await look('almanac'), peso(context.bank)];
  const [secondDatabase] = documented('Try it', 'sh');
  await stack.shell(secondDatabase, folder);
  if ((await look('restored')) !== before) throw new Error('the second database differs from the dumped one');
  const rates = await Promise.all([1, 2].map((api) => servedRate(stack, api, row)));
  await correct(context);
  await stack.shell(restore, folder);
  if ((await look('almanac')) !== before)
    throw new Error('the restored database differs from the one that was dumped');
  const { ms } = await waitUntil(
    'the restored rates in both APIs',
    async () => String(await Promise.all([1, 2].map((api) => servedRate(stack, api, row)))) === String(rates),
    { limitMs: VISIBLE_MS, everyMs: 250, signal },
  );
  return `the same in a second database and after the restore (${before.trim()}), served by both APIs ${seconds(ms)} later`;
}

function countsOf(load: Load): string {
  const { sent, failed, slowest } = load.lap();
  return `${sent} requests, ${failed} failed, the slowest took ${Math.round(slowest)} ms`;
}

async function step(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const line = await work();
  print(`${name} (${seconds(performance.now() - started)}): ${line}`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
