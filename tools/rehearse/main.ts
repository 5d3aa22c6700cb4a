import { randomBytes } from 'node:crypto';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { addDays, systemClock, today } from '../../core/domain/dates.js';
import { projectFolder } from '../../core/process/project-files.js';
import { print, type Trial, temporaryFolder } from '../programs/trial.js';
import { openBank, type Published, windowOf } from './banks.js';
import { correct, ingestCorrection, type Place, pesoOf, publishCorrection } from './corrections.js';
import { documented } from './documented.js';
import { type Drill, runDrill, type Step, seconds, step } from './drill.js';
import { freePort } from './free-port.js';
import { openOperator } from './operator.js';
import { openStack, type Stack } from './stack.js';
import { waitUntil } from './wait-until.js';

const PER_SECOND = 20;
const LIMIT_MS = 14 * 60_000;
const CLEANUP_MS = 60_000;
const VISIBLE_MS = 120_000;
const BANK_DAYS = 30;
const PAUSE_MS = 8_000;
const EARLIER_IMAGE = 'almanac:earlier';

const ratesReply = z.array(z.object({ date: z.string(), quote: z.string(), rate: z.number() }));

interface Context extends Place {
  stack: Stack;
  folder: string;
}

export const usage = `rehearse

The Compose file, alone in a folder, from build to restore: every container killed, servers restarted and paused, Redis
flushed, a correction, both backups, a start with the same data. Needs Docker.
`;

/** Exit code: 0 if every check passed, 1 if one failed, 130 if it was stopped. */
export function run(): Promise<number> {
  return runDrill(LIMIT_MS, begin);
}

async function begin(trial: Trial): Promise<Drill> {
  const { signal, cleanups } = trial;
  const folder = await temporaryFolder(trial, 'compose');
  const to = today(systemClock);
  const bank = await openBank({ from: addDays(to, -BANK_DAYS), to }, folder);
  const token = randomBytes(18).toString('base64url');
  const port = await freePort();
  const home = join(folder, 'alone');
  const file = join(home, 'docker-compose.yml');
  await cp(join(projectFolder, 'docker-compose.yml'), file);
  const project = `almanac-rehearsal-${process.pid}`;
  const alone = { COMPOSE_PROJECT_NAME: project, COMPOSE_FILE: file, ALMANAC_IMAGE: '', PORT: String(port) };
  const variables = {
    ...alone,
    COMPOSE_FILE: `${file}:${join(projectFolder, 'tools', 'rehearse', 'docker-compose.yml')}`,
    RECORDINGS: folder,
    ADMIN_TOKEN: token,
    API_SCALE: '2',
    WORKER_SCALE: '2',
  };
  const stack = openStack(variables, signal);
  cleanups.push(() => removeStack(openStack(variables, AbortSignal.timeout(CLEANUP_MS)), trial));
  const url = `http://127.0.0.1:${port}`;
  await step('build', () => build(stack));
  const before = await earlierImage(stack);
  const earlier = openStack({ ...variables, ALMANAC_IMAGE: before }, signal);
  await step(`up --wait, ${before || 'the same image'}`, () => up(earlier));
  await step('real rates through the proxy', () => realRates(url));
  const context: Context = {
    ...{ stack, folder, bank, operator: openOperator(url, token, signal), signal, visibleMs: VISIBLE_MS },
    served: (row) => Promise.all([1, 2].map((api) => servedRate(stack, api, row))),
  };
  return {
    load: {
      url,
      paths: ['/v2/rates', '/v2/rates?base=USD&quotes=EUR,GBP', '/v2/rate/EUR/USD', '/v2/currencies'],
      perSecond: PER_SECOND,
    },
    steps: stepsOf(context),
    finish: () => step('down, and up of the file alone', () => again(openStack(alone, signal), home, url)),
  };
}

/** Removes the containers and their data, and prints what they logged where a check failed. */
async function removeStack(stack: Stack, { hasFailed }: Trial): Promise<void> {
  if (hasFailed()) {
    print(await stack.compose('ps', '--all').catch(String));
    print(await stack.compose('logs', '--tail', '20', 'worker', 'postgres', 'redis', 'proxy').catch(String));
  }
  await stack.compose('down', '--volumes', '--timeout', '5');
}

/** Every container but the proxy's: its service, and its place among those of the service. */
const KILLED: readonly (readonly [service: string, place: number])[] = [
  ...[0, 1].map((place) => ['api', place] as const),
  ...[0, 1].map((place) => ['worker', place] as const),
  ...['postgres', 'redis'].map((service) => [service, 0] as const),
];

function stepsOf(context: Context): Step[] {
  const { stack } = context;
  const kill = async (service: string, place: number) => {
    const container = (await stack.containers()).filter((one) => one.service === service)[place];
    if (container === undefined) throw new Error(`there is no ${service} ${place + 1}`);
    return `healthy again after ${seconds(await stack.killAndStart(container))}`;
  };
  const startAll = () => stack.compose('up', '--detach', '--wait', '--no-recreate');
  return [
    { name: 'ops/roll', run: () => roll(stack) },
    { name: 'the first correction', run: () => firstRates(context) },
    ...KILLED.map(([service, at]) => ({ name: `kill ${service} ${at + 1}`, run: () => kill(service, at) })),
    ...['postgres', 'redis'].map((service) => ({
      name: `restart ${service}`,
      async run() {
        await stack.compose('restart', service);
        await startAll();
        return 'healthy again';
      },
    })),
    {
      name: 'an API killed while PostgreSQL is away',
      async run() {
        await stack.compose('stop', 'postgres');
        const killed = await kill('api', 0);
        await startAll();
        return `${killed}, without PostgreSQL`;
      },
    },
    { name: 'Redis is flushed with a job in it', run: () => flushRedis(context) },
    { name: `the servers are paused for ${seconds(PAUSE_MS)}`, run: () => pauseServers(context) },
    { name: 'backup and restore, as CSV', run: () => csvBackup(context) },
    { name: "backup and restore, PostgreSQL's own tools", run: () => dumpAndRestore(context) },
  ];
}

/** Builds the image that the Compose file names by itself, one for both programs. */
async function build(stack: Stack): Promise<string> {
  const names = new Set((await stack.compose('config', '--images')).match(/^.*almanac.*$/gm));
  const [image] = names;
  if (image === undefined || names.size > 1) throw new Error(`not one image: ${[...names].join(', ')}`);
  await stack.shell(`docker build --quiet --tag ${image} .`, projectFolder);
  return image;
}

/** The image of an earlier version, if `.ci/engine` could make it: else an upgrade is one to the same version. */
async function earlierImage(stack: Stack): Promise<string> {
  const images = await stack.shell('docker images --format "{{.Repository}}:{{.Tag}}"', projectFolder);
  return images.split('\n').includes(EARLIER_IMAGE) ? EARLIER_IMAGE : '';
}

/** As docs/upgrading.md says it, with the image that was built. */
async function roll(stack: Stack): Promise<string> {
  const old = await stack.containers();
  await stack.shell('ops/roll', projectFolder);
  const now = new Set((await stack.containers()).map(({ id }) => id));
  const wrong = old.filter(({ id, service }) => now.has(id) === ['api', 'worker'].includes(service));
  if (now.size !== old.length || wrong.length > 0) {
    const names = (some: typeof old) => some.map(({ name }) => name).join();
    throw new Error(`of ${names(old)} there are ${now.size}: ${names(wrong)} kept, or replaced, wrongly`);
  }
  const replaced = old.filter(({ id }) => !now.has(id));
  return `${replaced.length} containers replaced`;
}

async function up(stack: Stack): Promise<string> {
  await stack.compose('up', '--wait');
  const states = (await stack.containers()).map(({ service, health }) => `${service} ${health || 'running'}`);
  return states.sort().join(', ');
}

/** The rates that ship with the project are banks' own. */
async function realRates(url: string): Promise<string> {
  const response = await fetch(`${url}/v2/rates`);
  const rows = ratesReply.parse(await response.json());
  const dollar = rows.find(({ quote }) => quote === 'USD');
  if (rows.length < 100 || !dollar || dollar.rate < 0.5 || dollar.rate > 2)
    throw new Error(`the rates are not real: ${rows.length} rows, ${JSON.stringify(dollar)}`);
  return `${rows.length} rates, 1 EUR = ${dollar.rate} USD on ${dollar.date}`;
}

/** Loses a job that was to read a correction. A later request for the same correction succeeds. */
async function flushRedis(context: Context): Promise<string> {
  const { bank, operator, stack } = context;
  const correction = await publishCorrection(context);
  const { date } = correction.row;
  await operator.ingest(bank.key, { from: date, to: date });
  await stack.compose('exec', '-T', 'redis', 'redis-cli', 'flushall');
  return ingestCorrection(context, correction, 'a correction requested just before, and again after,');
}

/** Stalls the servers as a network does: connections stay open, and nothing responds. */
async function pauseServers(context: Context): Promise<string> {
  const servers = ['postgres', 'redis'];
  await context.stack.compose('pause', ...servers);
  await delay(PAUSE_MS, undefined, { signal: context.signal });
  await context.stack.compose('unpause', ...servers);
  return correct(context);
}

/** The bank's newest rates, corrected ones included, as the published port responds with them. */
async function ownRates(url: string): Promise<string> {
  const response = await fetch(`${url}/v2/rates?providers=BOC`);
  return JSON.stringify(ratesReply.nonempty().parse(await response.json()));
}

/** Starts the Compose file without the additions of the scenario, on the data of the containers before. */
async function again(stack: Stack, home: string, url: string): Promise<string> {
  const rates = await ownRates(url);
  await stack.compose('down');
  // No bank may correct the rates meanwhile.
  await writeFile(join(home, '.env'), 'SCHEDULE=off\n');
  await up(stack);
  if ((await ownRates(url)) !== rates) throw new Error('the rates are not those before `down`');
  const beside = (await readdir(home)).toSorted().join();
  if (beside !== '.env,docker-compose.yml') throw new Error(`a mount made what was missing: ${beside}`);
  await stack.compose('down');
  return 'the same rates';
}

async function firstRates(context: Context): Promise<string> {
  const { bank, operator, signal } = context;
  const id = await operator.ingest(bank.key, windowOf(bank.rows.values()));
  const isRead = async () => (await operator.stateOf(id)) === 'completed';
  await waitUntil('the ingest', isRead, { limitMs: VISIBLE_MS, signal });
  return `${bank.rows.size} rows of ${bank.key}; ${await correct(context)}`;
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
  const { stack, folder, served, signal } = context;
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
  const [before, row] = [await look('almanac'), pesoOf(context.bank)];
  const [secondDatabase] = documented('Try it', 'sh');
  await stack.shell(secondDatabase, folder);
  if ((await look('restored')) !== before) throw new Error('the second database differs from the dumped one');
  const rates = await served(row);
  await correct(context);
  await stack.shell(restore, folder);
  if ((await look('almanac')) !== before)
    throw new Error('the restored database differs from the one that was dumped');
  const isServed = async () => String(await served(row)) === String(rates);
  const { ms } = await waitUntil('the restored rates in both APIs', isServed, {
    limitMs: VISIBLE_MS,
    signal,
  });
  return `the same in a second database and after the restore (${before.trim()}), served by both APIs ${seconds(ms)} later`;
}
