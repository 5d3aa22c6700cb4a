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
/** Requests to each operation, and again for each of its parameters, in the short form and in the long one. */
const REQUESTS = [3, 20] as const;
/** The slowest requests are repeated, as something else may have blocked the event loop. */
const FINALISTS = 3;
const REPEATS = 5;
/** How long a request may block the event loop, without garbage collection. */
const LONGEST_STEP_MS = 10;
const LIMIT_MS = 15_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** The largest body of an error, which may quote the wrong value. */
const MOST_ERROR_BYTES = 4_096;
/** Requests have wrong tokens, too: a separate address keeps that limit from other clients. */
const ADDRESS = '127.0.0.7';
/** Operations whose errors have the format of another service or standard, or are pages. */
const OTHER_FORMS = ['Dialects', 'SDMX', 'none'];
const UNDESCRIBED = ['/', '/status', '/docs', '/health/live', '/metrics', '/mcp', '/admin', '/nothing-here'];

interface Sent {
  request: MadeRequest;
  /** The status of the response; `left` if there was none in time. */
  status: number | 'left';
  stepMs: number;
}

/** The results of one operation. `longest` blocked the event loop for the longest time. */
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
    fail(`${operation} blocked the loop for ${longest.stepMs.toFixed(1)} ms: ${shown(longest.request)}`);
  const all = fuzzed.flatMap(({ statuses }) => statuses);
  const [slowest] = fuzzed;
  return `${all.length} requests, valid or almost, to ${operations.length} operations, seed ${SEED}: ${tally(all)}; the event loop was blocked for ${slowest?.longest.stepMs.toFixed(1)} ms at most (${slowest?.operation})`;
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
      // Decades of rows with their sources may take longer. The client disconnects.
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
  // A page describes the error itself.
  const isPage = headers['content-type']?.startsWith('text/html') && sent.accept?.includes('text/html');
  if (isPage && status < 500 && body.startsWith('<!doctype html>')) return undefined;
  if (body.length > MOST_ERROR_BYTES) return `an error of ${body.length} bytes`;
  try {
    const error: unknown = JSON.parse(body);
    const { success, status: bodyStatus, message } = error as Record<string, unknown>;
    if (success === false && bodyStatus === status && typeof message === 'string') return undefined;
  } catch {
    // Reported below.
  }
  return `the body of an error ${status} has another form: ${body.slice(0, 200)}`;
}

/** The longest time, in milliseconds, for which the API's event loop was blocked since the last call. */
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
