import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { builtProgram } from '../../rehearse/programs.js';
import { waitUntil } from '../../rehearse/wait-until.js';
import type { Attack, AttackContext } from '../attack.js';
import { HOSTILITIES, type Hostility } from '../hostile-upstream.js';
import { memoryOf } from '../processes.js';
import { ask } from '../requests.js';
import { tally } from '../tally.js';

/** A load ends after at most eight seconds, and its clients get an error. */
const LIMIT_MS = 10_000;
const AT_ONCE = 40;
/** A circuit that has opened stays so for half a minute. */
const CLOSED_MS = 45_000;
/** As many as there are routes, so that no circuit that one has opened protects from the next. */
const IN_SHORT: readonly Hostility[] = ['silent', 'endless', 'bomb', 'reset'];

/** Routes that relay, with questions that differ by their number, so that none shares another's answer. */
const ROUTES: readonly ((number: number) => string)[] = [
  (number) => `/weather/search?q=place${number}`,
  (number) => `/sg/bus-arrivals?code=${10_000 + number}`,
  (number) => `/detect/location?lat=${(number / 1_000).toFixed(3)}&lon=20`,
  (number) => `/translate/text?to=it&text=hello%20${number}`,
];

let asked = 0;

function against(how: Hostility): Attack {
  const place = IN_SHORT.includes(how) ? IN_SHORT.indexOf(how) : HOSTILITIES.indexOf(how);
  const route = ROUTES[place % ROUTES.length] ?? (() => '/');
  return {
    name: `upstream: ${how}`,
    async run({ environment: { upstream, url }, signal, fail }) {
      const question = async () => {
        const path = route(asked++);
        const received = await ask(url, path, { limitMs: LIMIT_MS }).catch((error: Error) => error);
        // A redirect or a body that is cut short is no usable response; one that is too long may be.
        const isFine = 'status' in received && [200, 404, 502, 503].includes(received.status);
        if (!isFine) fail(`${path}: ${'status' in received ? received.status : received.message}`);
        return 'status' in received ? received.status : 'nothing';
      };
      const isClosed = async () => (await ask(url, route(asked++))).status < 500;
      await waitUntil('a closed circuit', isClosed, { limitMs: CLOSED_MS, everyMs: 500, signal });
      const before = upstream.requests();
      upstream.behave(how);
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, question));
      const reached = upstream.requests() - before;
      if (reached === 0) fail('nothing reached the upstream');
      if (upstream.redirected() > 0) fail('a redirect was followed');
      return `${AT_ONCE} relayed requests at once, of which ${reached} reached the upstream: ${tally(statuses)}`;
    },
    ...(!IN_SHORT.includes(how) && { long: true }),
  };
}

const KEY = 'HOSTILE';
/** The time limits of banks are minutes. */
const SLOW: readonly Hostility[] = ['silent', 'dripping'];
/** Bodies of up to 32 MB are read whole, as bytes, as text and as records. */
const MOST_MEMORY_MB = 700;
const MEMORY_EVERY_MS = 50;
const SOURCE = (url: string) => `key: ${KEY}
name: Hostile bank
first_day: 2026-03-01
read:
  url: ${url}/rates
  format: csv
  columns: { date: Day, base: Currency, rate: Price }
  quote: USD
`;

/** A source of one's own that is somebody else, read by the command line. */
async function attackIngest(context: AttackContext): Promise<string> {
  const { environment, fail, signal } = context;
  const { folder, upstream } = environment;
  const sources = join(folder, 'sources');
  await mkdir(sources, { recursive: true });
  await writeFile(join(sources, `${KEY}.yaml`), SOURCE(upstream.url));
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: await environment.databaseUrl(), SOURCES_DIR: sources };
  const program = builtProgram('worker/cli/main.js');
  const tried = HOSTILITIES.filter((how) => !SLOW.includes(how));
  let mostMb = 0;
  for (const how of tried) {
    upstream.behave(how);
    const words = [program, 'ingest', KEY, '--from', '2026-03-02', '--to', '2026-03-09'];
    const child = spawn(process.execPath, words, { env, stdio: 'ignore', signal });
    const exited = once(child, 'exit');
    while (child.exitCode === null && child.signalCode === null) {
      mostMb = Math.max(mostMb, ((await memoryOf(child.pid ?? 0)) ?? 0) / 1024 ** 2);
      await Promise.race([exited, delay(MEMORY_EVERY_MS)]);
    }
    if (child.exitCode !== 1) fail(`${how}: the ingest ended with ${child.exitCode ?? child.signalCode}`);
  }
  if (mostMb > MOST_MEMORY_MB) fail(`ingesting took ${mostMb.toFixed(0)} MB`);
  const runs = await environment.query<{ outcome: string }>(
    `select outcome::text from ingest_runs where provider = '${KEY}'`,
  );
  const outcomes = runs.map(({ outcome }) => outcome);
  if (outcomes.length !== tried.length || outcomes.some((outcome) => outcome !== 'failed'))
    fail(`the recorded runs are ${tally(outcomes)}, not ${tried.length} that failed`);
  if (upstream.redirected() > 0) fail('a redirect was followed');
  return `ingests from a bank that is ${tried.join(', ')}: each failed, and took at most ${mostMb.toFixed(0)} MB`;
}

export const upstreams: readonly Attack[] = [
  ...HOSTILITIES.map(against),
  { name: 'hostile bank', run: attackIngest },
];
