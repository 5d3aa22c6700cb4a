import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import { promisify } from 'node:util';
import { type Attack, type AttackContext, unlessForbidden } from '../attack.js';
import { ask, withConnections } from '../requests.js';

const run = promisify(execFile);
/** What is left to the API. */
const DESCRIPTORS = 40;
const CONNECTIONS = 200;
const RECOVERY_MS = 500;
/** What is read from files, the database and modules that are used late. */
const PATHS = ['/v2/rates', '/status', '/v2/rates?expand=providers&quotes=USD', '/admin/queues', '/mcp'];

async function exhaust(context: AttackContext): Promise<string> {
  const { environment, short, fail, pause } = context;
  const { url } = environment;
  const pid = await environment.processOfApi();
  const limit = (...words: string[]) =>
    unlessForbidden('the limit of a process', run('prlimit', ['--pid', String(pid), ...words]));
  const { stdout } = await limit('--nofile', '--output=SOFT', '--noheadings');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isLive = async () =>
    (await ask(url, '/health/live', { agent, limitMs: 5_000 }).catch(() => undefined))?.status === 200;
  const seconds = short ? 3 : 20;
  let answered = 0;
  try {
    await isLive();
    const open = (await readdir(`/proc/${pid}/fd`)).length;
    await limit(`--nofile=${open + DESCRIPTORS}:`);
    await withConnections(url, { count: CONNECTIONS, clients: 4 }, async () => {
      for (let second = 0; second < seconds; second++) {
        await pause(1_000);
        if (await isLive()) answered++;
      }
    });
    if (answered < seconds) fail(`${seconds - answered} of ${seconds} requests on an open connection failed`);
    await pause(RECOVERY_MS);
    const after = await ask(url, '/health/live', { limitMs: 5_000 });
    if (after.status !== 200) fail(`a new connection got ${after.status} when the others were gone`);
    for (const path of PATHS) {
      const status = await statusOf(context, path);
      if (status !== 200) fail(`${path} was answered with ${status}`);
    }
    return `${CONNECTIONS} connections to an API that may open ${DESCRIPTORS} more files: ${answered} of ${seconds} requests on a connection that was open were answered, and a new one in ${after.ms.toFixed(0)} ms when the others were gone`;
  } finally {
    agent.destroy();
    await limit(`--nofile=${stdout.trim()}:`);
  }
}

async function statusOf({ environment: { url, adminToken } }: AttackContext, path: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${adminToken}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream, */*',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return (await ask(url, path, { headers, ...(path === '/mcp' && { method: 'POST', body }) })).status;
}

/** Nobody else gets a connection either. */
export const descriptors: Attack = { name: 'file descriptors', spares: ['live', 'hot', 'raw'], run: exhaust };
