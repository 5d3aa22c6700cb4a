import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Attack, AttackContext } from '../attack.js';
import { type Corpus, type CostlyRequest, corpusOf, type Holdings } from '../corpus.js';
import type { Environment } from '../environment.js';
import type { Document } from '../openapi-document.js';
import { ask } from '../requests.js';

const SEED = 20_261_123;
/** The number of requests to each operation, and of further ones for each of its parameters. */
const REQUESTS = 15;
const REQUESTS_IN_SHORT = 8;
/** Those that took longest are sent again, as something else may have held the event loop up. */
const FINALISTS = 3;
const REPEATS = 5;
/** How long the event loop may stand still for one request, without the collection of garbage. */
const LONGEST_STEP_MS = 10;
const LIMIT_MS = 15_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Pages and routes that the document does not have. */
const UNDESCRIBED = ['/', '/status', '/docs', '/health/live', '/metrics', '/mcp', '/admin', '/nothing-here'];

interface Measured {
  operation: string;
  /** How many requests were sent, and to how many of them the response was no error. */
  tried: number;
  succeeded: number;
  request: CostlyRequest;
  /** That of the response, or that the request was left without one. */
  status: number | 'left';
  stepMs: number;
}

/** Sends the costliest requests to each route, one after the other, and looks for how long the event loop stood still. */
async function watch(context: AttackContext): Promise<string> {
  const { environment, short } = context;
  const document = JSON.parse((await ask(environment.url, '/openapi.json')).body) as Document;
  const corpora = [...corpusOf(document, await holdingsOf(environment)), ...undescribed()];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const measured: Measured[] = [];
  try {
    for (const corpus of corpora)
      measured.push(await costliest(context, corpus, short ? REQUESTS_IN_SHORT : REQUESTS, agent));
  } finally {
    agent.destroy();
  }
  measured.sort((one, other) => other.stepMs - one.stepMs);
  for (const { operation, request, stepMs } of measured) {
    if (stepMs > LONGEST_STEP_MS)
      context.fail(`${operation} held the event loop for ${stepMs.toFixed(0)} ms: ${shown(request)}`);
  }
  context.show(
    ['operation', 'requests, without an error', 'longest step', 'request, response'],
    measured.map(({ operation, tried, succeeded, request, status, stepMs }) => [
      operation,
      `${tried}, ${succeeded}`,
      `${stepMs.toFixed(1)} ms`,
      `${shown(request)}: ${status}`,
    ]),
  );
  const [longest] = measured;
  return `the costliest of the requests that ${corpora.length} operations take, seed ${SEED}; the event loop stood still for ${longest?.stepMs.toFixed(1)} ms at most (${longest?.operation})`;
}

/** The request that held the event loop up for longest, and to how many of them the route responded with what they want. */
async function costliest(
  context: AttackContext,
  { operation, parameters, requests }: Corpus,
  count: number,
  agent: Agent,
): Promise<Measured> {
  const { environment, signal } = context;
  const measure = async (request: CostlyRequest) => {
    signal.throwIfAborted();
    await longestStep(environment);
    const options = { ...request, agent, limitMs: LIMIT_MS, mostBytes: MOST_BYTES };
    // Decades of rows with their sources may take longer: they are left as a client leaves them.
    const received = await ask(environment.url, request.path, options).catch(() => undefined);
    const status: Measured['status'] = received?.status ?? 'left';
    return { request, status, stepMs: await longestStep(environment) };
  };
  const measured: Omit<Measured, 'operation' | 'tried' | 'succeeded'>[] = [];
  for (const request of fc.sample(requests, { numRuns: count * (1 + parameters), seed: SEED })) {
    measured.push(await measure(request));
  }
  const succeeded = measured.filter(({ status }) => status === 'left' || status < 400).length;
  const finalists = measured.toSorted((one, other) => other.stepMs - one.stepMs).slice(0, FINALISTS);
  for (const finalist of finalists) {
    for (let again = 0; again < REPEATS; again++) {
      finalist.stepMs = Math.min(finalist.stepMs, (await measure(finalist.request)).stepMs);
    }
  }
  const longest = finalists.reduce((one, other) => (other.stepMs > one.stepMs ? other : one));
  return { operation, tried: measured.length, succeeded, ...longest };
}

/** For how many milliseconds at most the API's event loop stood still since this was last asked. */
async function longestStep({ probe }: Environment): Promise<number> {
  const socket = connect(probe);
  await once(socket, 'connect');
  return Number(await text(socket));
}

async function holdingsOf({ url, lastDay }: Environment): Promise<Holdings> {
  const [currencies, providers] = await Promise.all(
    ['/v2/currencies', '/v2/providers'].map(
      async (path) => JSON.parse((await ask(url, path)).body) as Record<string, string>[],
    ),
  );
  return {
    currencies: (currencies ?? []).map(({ iso_code: code }) => code ?? ''),
    providers: (providers ?? []).map(({ key }) => key ?? ''),
    lastDay,
  };
}

function undescribed(): Corpus[] {
  return UNDESCRIBED.map((path) => ({
    operation: `GET ${path}`,
    parameters: 0,
    requests: fc
      .constantFrom('text/html', 'application/json')
      .map((accept) => ({ method: 'GET', path, headers: { accept } })),
  }));
}

/** A request in one line; what is long in it is cut. */
function shown({ method, path, headers, body }: CostlyRequest): string {
  const cut = (value: string, most: number) =>
    value.length <= most ? value : `${value.slice(0, most)}… (${value.length} characters)`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${cut(value, 30)}`);
  return cut(
    [`${method} ${cut(path, 150)}`, ...lines, ...(body === undefined ? [] : [cut(body, 60)])].join(', '),
    400,
  ).replaceAll('\n', '⏎');
}

export const watchdog: readonly Attack[] = [{ name: 'watchdog', run: watch }];
