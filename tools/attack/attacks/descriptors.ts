import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import { promisify } from 'node:util';
import { type Attack, type AttackContext, Skipped } from '../attack.js';
import { ask, withConnections } from '../requests.js';

const run = promisify(execFile);
/** What is left to the API. */
const DESCRIPTORS = 40;
const CONNECTIONS = 200;
const RECOVERY_MS = 500;

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
    return `${CONNECTIONS} connections to an API that may open ${DESCRIPTORS} more files: ${answered} of ${asked} requests on a connection that was open were answered, and a new one in ${after.ms.toFixed(0)} ms when the others were gone`;
  } finally {
    agent.destroy();
    await setLimit(stdout.trim());
  }
}

// Nobody else gets a connection either.
export const descriptors: readonly Attack[] = [
  { name: 'file descriptors', spares: ['live', 'hot', 'raw'], run: exhaust },
];
