import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { seededRandom } from '../../random.js';
import type { Attack, AttackContext } from '../attack.js';
import type { Environment } from '../environment.js';
import { documentOf, type MadeRequest, makerOf, type Operation } from '../openapi-requests.js';
import { ask, type Received } from '../requests.js';
import { tally } from '../tally.js';

const SEED = '20261123';
/** The number of requests to each operation, and of further ones for each of its parameters: in the short form and the long. */
const REQUESTS = [3, 20] as const;
/** Those that took longest are sent again, as something else may have held the event loop up. */
const FINALISTS = 3;
const REPEATS = 5;
/** How long the event loop may stand still for one request, without the collection of garbage. */
const LONGEST_STEP_MS = 10;
const LIMIT_MS = 15_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** As an error names some of what is wrong, it may be this much longer than what it is about. */
const MOST_ERROR_BYTES = 4_096;
/** Wrong tokens are among the requests: the limit of their client holds for nobody else. */
const ADDRESS = '127.0.0.7';
/** Operations whose errors have the form of another service or of a standard, and of pages. */
const OTHER_FORMS = ['Dialects', 'SDMX', 'none'];
const UNDESCRIBED = ['/', '/status', '/docs', '/health/live', '/metrics', '/mcp', '/admin', '/nothing-here'];

interface Sent {
  request: MadeRequest;
  /** That of the response, or that the request was left without one. */
  status: number | 'left';
  stepMs: number;
}

/** What came of the requests to one operation, of which `longest` held the event loop up for longest. */
interface Fuzzed {
  operation: string;
  statuses: Sent['status'][];
  longest: Sent;
}

async function fuzz(context: AttackContext): Promise<string> {
  const { environment, fail } = context;
  const { paths } = await documentOf(environment.url);
  const operations = [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [path, method, each] as const),
    ),
    ...UNDESCRIBED.map((path) => [path, 'get', { responses: {} }] as const),
  ];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const random = seededRandom(SEED);
  const fuzzed: Fuzzed[] = [];
  try {
    for (const each of operations) fuzzed.push(await fuzzOperation(context, each, { agent, random }));
  } finally {
    agent.destroy();
  }
  fuzzed.sort((one, other) => other.longest.stepMs - one.longest.stepMs);
  for (const { operation, longest } of fuzzed.filter(({ longest }) => longest.stepMs > LONGEST_STEP_MS))
    fail(`${operation} held the event loop for ${longest.stepMs.toFixed(1)} ms: ${shown(longest.request)}`);
  const all = fuzzed.flatMap(({ statuses }) => statuses);
  const [slowest] = fuzzed;
  return `${all.length} requests that ${operations.length} operations take, or just not, seed ${SEED}: ${tally(all)}; the event loop stood still for ${slowest?.longest.stepMs.toFixed(1)} ms at most (${slowest?.operation})`;
}

async function fuzzOperation(
  { environment, short, signal, fail }: AttackContext,
  operation: readonly [path: string, method: string, Operation],
  { agent, random }: { agent: Agent; random: () => number },
): Promise<Fuzzed> {
  const [path, method, described] = operation;
  const faults: string[] = [];
  const send = async (request: MadeRequest): Promise<Sent> => {
    signal.throwIfAborted();
    await longestStep(environment);
    const options = { ...request, agent, from: ADDRESS, limitMs: LIMIT_MS, mostBytes: MOST_BYTES };
    const received = await ask(environment.url, request.path, options).catch((error: Error) => {
      // Decades of rows with their sources may take longer: they are left as a client leaves them.
      if (!error.message.startsWith('no response within')) faults.push(`${shown(request)}: ${error.message}`);
    });
    const fault = received && faultOf(request, received, described);
    if (fault !== undefined) faults.push(`${shown(request)}: ${fault}`);
    return { request, status: received?.status ?? 'left', stepMs: await longestStep(environment) };
  };
  const make = makerOf(operation, random);
  const sent: Sent[] = [];
  for (let count = REQUESTS[short ? 0 : 1] * (1 + (described.parameters ?? []).length); count > 0; count--)
    sent.push(await send(make()));
  const finalists = sent.toSorted((one, other) => other.stepMs - one.stepMs).slice(0, FINALISTS);
  for (const finalist of finalists) {
    for (let again = 0; again < REPEATS; again++)
      finalist.stepMs = Math.min(finalist.stepMs, (await send(finalist.request)).stepMs);
  }
  if (faults.length > 0) fail(`${faults.length} faults, such as ${faults[0]}`);
  const longest = finalists.reduce((one, other) => (other.stepMs > one.stepMs ? other : one));
  return {
    operation: `${method.toUpperCase()} ${path}`,
    statuses: sent.map(({ status }) => status),
    longest,
  };
}

function faultOf(
  { method, headers: sent }: MadeRequest,
  { status, headers, body }: Received,
  { responses, tags = ['none'] }: Operation,
): string | undefined {
  if (status < 200 || status > 599) return `status ${status}`;
  if (status === 500 || (status > 500 && !(status in responses)))
    return `status ${status}: ${body.slice(0, 200)}`;
  if (status === 503 && headers['retry-after'] === undefined) return 'a 503 without retry-after';
  if (status < 400 || method === 'HEAD' || OTHER_FORMS.includes(tags[0] ?? '')) return undefined;
  // A page says in the page what is wrong.
  const isPage = headers['content-type']?.startsWith('text/html') && sent.accept?.includes('text/html');
  if (isPage && status < 500 && body.startsWith('<!doctype html>')) return undefined;
  if (body.length > MOST_ERROR_BYTES) return `an error of ${body.length} bytes`;
  try {
    const error: unknown = JSON.parse(body);
    const { success, status: bodyStatus, message } = error as Record<string, unknown>;
    if (success === false && bodyStatus === status && typeof message === 'string') return undefined;
  } catch {
    // The error below reports it.
  }
  return `the body of an error ${status} has another form: ${body.slice(0, 200)}`;
}

/** For how many milliseconds at most the API's event loop stood still since this was last asked. */
async function longestStep({ probe }: Environment): Promise<number> {
  const socket = connect(probe);
  await once(socket, 'connect');
  return Number(await text(socket));
}

function shown({ method, path, headers, body = '' }: MadeRequest): string {
  const cut = (value: string, most: number) =>
    value.length <= most ? value : `${value.slice(0, most)}… (${value.length} characters)`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${cut(value, 30)}`);
  return cut([`${method} ${cut(path, 150)}`, ...lines, cut(body, 60)].join(', '), 400).replaceAll('\n', '⏎');
}

export const fuzzing: Attack = { name: 'fuzzing', run: fuzz };
