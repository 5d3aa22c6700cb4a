import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../core/database/database.js';
import { ping } from '../core/database/statistics.js';
import { ConfigurationError } from '../core/process/config.js';
import type { BlendQueue, IngestQueue, Queues } from '../core/queues/queues.js';
import type { EndedJob, JobObserver } from './jobs/observe-jobs.js';

/** The health check of a worker. */
export interface WorkerHealth {
  observer: JobObserver;
  /** Called once the worker takes jobs. Until then it is starting. */
  working(queues: Queues): void;
  close(): Promise<void>;
}

interface HealthOptions {
  port: number;
  host: string;
  database: Database;
  /** A monotonic clock in milliseconds; for tests. */
  now?: () => number;
}

/** The body of `/health/ready`, which is a 200 only where the status is `ready`. */
interface Readiness {
  /**
   * `stuck`: jobs wait, and for an hour this worker has neither begun nor ended any of their queue. `outdated`: it takes
   * none any more, as the blends are of a newer method than its own.
   */
  status: 'starting' | 'ready' | 'down' | 'stuck' | 'outdated';
  database: 'up' | 'down';
  queues: 'up' | 'down';
  /** The job that ended last in this process. */
  lastJob: (EndedJob & { ageSeconds: number }) | null;
}

const LIMIT_MS = 1_000;
const STUCK_AFTER_MS = 3_600_000;

/** Serves `/health/live` and `/health/ready`, as an API does. Throws where the port is in use. */
export async function openWorkerHealth(options: HealthOptions): Promise<WorkerHealth> {
  const { database, now = () => performance.now() } = options;
  let queues: Queues | undefined;
  let lastJob: (EndedJob & { endedAt: number }) | undefined;
  let isOutdated = false;
  const activeAt = { ingest: 0, blend: 0 };

  async function isStuck(name: EndedJob['queue'], queue: IngestQueue | BlendQueue): Promise<boolean> {
    const { waiting = 0 } = await queue.getJobCounts('waiting');
    return waiting > 0 && now() - activeAt[name] > STUCK_AFTER_MS && !(await queue.isPaused());
  }

  async function checkQueues({ ingest, blend }: Queues): Promise<'up' | 'stuck'> {
    const stuck = await Promise.all([isStuck('ingest', ingest), isStuck('blend', blend)]);
    return stuck.includes(true) ? 'stuck' : 'up';
  }

  async function readiness(): Promise<Readiness> {
    const [reached, queued] = await Promise.all([
      withinLimit(ping(database, LIMIT_MS).then(() => 'up' as const)),
      queues ? withinLimit(checkQueues(queues)) : ('down' as const),
    ]);
    const working = reached === 'down' || queued === 'down' ? 'down' : queued === 'stuck' ? 'stuck' : 'ready';
    return {
      status: isOutdated ? 'outdated' : queues ? working : 'starting',
      database: reached,
      queues: queued === 'down' ? 'down' : 'up',
      lastJob: lastJob ? withAge(lastJob, now()) : null,
    };
  }

  async function respond(url: string | undefined, response: ServerResponse): Promise<void> {
    if (url === '/health/live') return send(response, 200, { status: 'up' });
    if (url !== '/health/ready')
      return send(response, 404, { success: false, status: 404, message: 'not found' });
    const body = await readiness();
    send(response, body.status === 'ready' ? 200 : 503, body);
  }

  const server = createServer((request, response) => void respond(request.url, response));
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new ConfigurationError(`WORKER_HEALTH_PORT: port ${options.port} is already in use`);
  });

  return {
    observer: {
      outdated() {
        isOutdated = true;
      },
      jobStarted(queue) {
        activeAt[queue] = now();
      },
      jobEnded(job) {
        activeAt[job.queue] = now();
        lastJob = { ...job, endedAt: now() };
      },
    },
    working(opened) {
      queues = opened;
      activeAt.ingest = activeAt.blend = now();
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function withAge(
  { endedAt, ...job }: EndedJob & { endedAt: number },
  now: number,
): EndedJob & { ageSeconds: number } {
  return { ...job, ageSeconds: Math.round((now - endedAt) / 1_000) };
}

/** `down` where the check takes longer than a second or fails; whoever uses the server logs why. */
async function withinLimit<T>(check: Promise<T>): Promise<T | 'down'> {
  const checked = check.catch(() => 'down' as const);
  return Promise.race([checked, sleep(LIMIT_MS, 'down' as const, { ref: false })]);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
