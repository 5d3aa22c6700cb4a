import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import { promisify } from 'node:util';
import { startApi } from '../../rehearse/programs.js';
import { type Attack, type AttackContext, Skipped } from '../attack.js';
import { ask, withConnections } from '../requests.js';

const run = promisify(execFile);
/** What is left to the API. */
const DESCRIPTORS = 40;
const CONNECTIONS = 200;
const RECOVERY_MS = 500;
/** What an API may open that is started with few. */
const FEW_FILES = 256;
const MANY_CONNECTIONS = 600;

/** Leaves the API few more files and connections than it has, and opens more. */
async function exhaust(context: AttackContext): Promise<string> {
  const { environment, short } = context;
  const pid = await environment.processOf('api');
  if (pid === undefined) throw new Error('the API does not run');
  const setLimit = (limit: string) =>
    run('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]).catch((error: Error) => {
      throw new Skipped(`the limit of a process can't be set here: ${error.message}`);
    });
  const { stdout } = await run('prlimit', [
    '--pid',
    String(pid),
    '--nofile',
    '--output=SOFT',
    '--noheadings',
  ]).catch((error: Error) => {
    throw new Skipped(`there is no prlimit here: ${error.message}`);
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isLive = async (limitMs: number) =>
    (await ask(environment.url, '/health/live', { agent, limitMs }).catch(() => undefined))?.status === 200;
  let answered = 0;
  let asked = 0;
  try {
    await isLive(RECOVERY_MS);
    const open = (await readdir(`/proc/${pid}/fd`)).length;
    await setLimit(String(open + DESCRIPTORS));
    await withConnections(environment.url, { count: CONNECTIONS, clients: 4 }, async () => {
      for (let second = 0; second < (short ? 3 : 20); second++) {
        await context.pause(1_000);
        asked++;
        if (await isLive(5_000)) answered++;
      }
    });
    if (answered < asked)
      context.fail(`${asked - answered} of ${asked} requests on an open connection failed`);
    await context.pause(RECOVERY_MS);
    const after = await ask(environment.url, '/health/live', { limitMs: 5_000 });
    if (after.status !== 200) context.fail(`a new connection got ${after.status} when the others were gone`);
    await askAll(context, environment.url);
    return `${CONNECTIONS} connections to an API that may open ${DESCRIPTORS} more files: ${answered} of ${asked} requests on a connection that was open were answered, and a new one in ${after.ms.toFixed(0)} ms when the others were gone`;
  } finally {
    agent.destroy();
    await setLimit(stdout.trim());
  }
}

/** What is read from files, the database and modules that are used late: all of it must be answered. */
async function askAll({ environment, fail }: AttackContext, url: string, agent?: Agent): Promise<number> {
  const headers = {
    authorization: `Bearer ${environment.adminToken}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream, */*',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const asked = ['/v2/rates', '/status', '/v2/rates?expand=providers&quotes=USD', '/admin/queues', '/mcp'];
  for (const path of asked) {
    const message = path === '/mcp' ? { method: 'POST', body } : {};
    const { status } = await ask(url, path, { headers, ...message, ...(agent && { agent }) });
    if (status !== 200) fail(`${path} was answered with ${status}`);
  }
  return asked.length;
}

/** Starts an API that may open few files, and opens more connections than that. */
async function fill(context: AttackContext): Promise<string> {
  const { environment, short } = context;
  const api = await startApi('few-files', {
    folder: environment.folder,
    env: {
      DATABASE_URL: await environment.databaseUrl(),
      ADMIN_TOKEN: environment.adminToken,
      PORT: '0',
      HOST: '127.0.0.1',
    },
    under: ['sh', '-c', `ulimit -n ${FEW_FILES} && exec "$0" "$@"`],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await ask(api.url, '/health/live', { agent });
    let answered = 0;
    await withConnections(api.url, { count: MANY_CONNECTIONS, clients: 50 }, async () => {
      for (let second = 0; second < (short ? 3 : 20); second++) {
        await context.pause(1_000);
        answered += await askAll(context, api.url, agent);
      }
    });
    await context.pause(RECOVERY_MS);
    await askAll(context, api.url);
    return `${MANY_CONNECTIONS} connections of 50 clients to an API that was started with ${FEW_FILES} files: ${answered} requests on a connection that was open, also to /mcp and for pages, and new ones when the others were gone`;
  } finally {
    agent.destroy();
    await api.stop();
  }
}

export const descriptors: readonly Attack[] = [
  // Nobody else gets a connection either.
  { name: 'file descriptors', spares: ['live', 'hot', 'raw'], run: exhaust },
  { name: 'file descriptors of a start', run: fill },
];
