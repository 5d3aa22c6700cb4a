import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Config } from '../core/process/config.js';
import { CANNOT_START, type Listening, type Running, tellParent } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { supervise } from '../core/process/supervise.js';
import { answerForAll } from './operations/metrics-of-all.js';

/** The environment variable that says to a process whether another one has served before it. */
const BESIDE_OTHERS = 'ALMANAC_BESIDE_OTHERS';

/** Longer than the limit for stopping each of them, beyond that of any program. */
const EXTRA_CLOSE_MS = 3_000;

/**
 * Runs several processes of the API behind its ports: connections are given to them in turn. The first one reads the
 * rates and serves before the next one is started, so that one at a time reads all of history. Ends with 78 where the
 * first can't start.
 */
export async function startProcesses(config: Config, stopping: AbortSignal): Promise<Running> {
  const log = createLogger(config, 'api');
  const drainMs = config.DRAIN_SECONDS * 1_000;
  cluster.schedulingPolicy = cluster.SCHED_RR;
  answerForAll();
  new RateLimiterClusterMaster(); // Counts what all of them limit together.

  const programs: ReturnType<typeof supervise>[] = [];
  let serves = false;
  const onCannotStart = (): 'try-again' => (serves ? 'try-again' : process.exit(CANNOT_START));
  const startOne = (name: string) =>
    new Promise<void>((resolve) => {
      const onListening = (listening: Listening) => {
        if (!serves) tellParent({ ...listening, type: 'listening' });
        serves = true;
        resolve();
      };
      const fork = () => closingWhatItWasGiven(cluster.fork({ [BESIDE_OTHERS]: String(serves) }).process);
      programs.push(supervise({ name, fork, extraCloseMs: drainMs }, { log, onListening, onCannotStart }));
    });
  const startAll = async () => {
    for (let number = 1; number <= config.API_PROCESSES && !stopping.aborted; number++) {
      await startOne(`api ${number}`);
    }
  };
  await Promise.race([once(stopping, 'abort'), startAll()]);
  return {
    extraCloseMs: drainMs + EXTRA_CLOSE_MS,
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
    },
  };
}

/**
 * Whether this process shares its ports with others that serve. It must not take connections from them before it serves
 * too.
 */
export function isBesideOthers(environment: NodeJS.ProcessEnv): boolean {
  return environment[BESIDE_OTHERS] === 'true';
}

/**
 * Node gives a process one connection at a time and closes its own side of it once the process has taken it. Where that is
 * killed before, this side would stay open, and the client wait for a response for ever.
 */
function closingWhatItWasGiven(child: ChildProcess): ChildProcess {
  const send: (...values: never[]) => boolean = child.send.bind(child);
  let given: unknown;
  child.send = (...values: unknown[]) => {
    given = values[1] ?? given;
    return send(...(values as never[]));
  };
  child.once('exit', () => {
    // Closing it again, which it has been if it was taken, does nothing.
    if (given instanceof Object && 'close' in given && given.close instanceof Function) given.close();
  });
  return child;
}

/** The configuration of one of several processes: its share of what all together may have. */
export function shareOf(config: Config): Config {
  const share = (limit: number) => Math.max(1, Math.floor(limit / config.API_PROCESSES));
  return {
    ...config,
    MAX_CONNECTIONS: share(config.MAX_CONNECTIONS),
    MAX_CONNECTIONS_PER_CLIENT: share(config.MAX_CONNECTIONS_PER_CLIENT),
    MAX_REQUESTS: share(config.MAX_REQUESTS),
    MAX_REQUESTS_PER_CLIENT: share(config.MAX_REQUESTS_PER_CLIENT),
    MAX_BUFFERED_MB: share(config.MAX_BUFFERED_MB),
  };
}
