import { type EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { createGate } from '../core/concurrency/gate.js';
import { within } from '../core/concurrency/within.js';
import type { Database } from '../core/database/database.js';
import { ping } from '../core/database/statistics.js';
import { ConfigurationError } from '../core/process/config.js';
import type { BlendQueue, IngestQueue, Queues } from '../core/queues/queues.js';

export type WorkerHealth = Awaited<ReturnType<typeof openWorkerHealth>>;

interface HealthOptions {
  /** The port to serve it on; not served if absent. */
  port: number | undefined;
  host: string;
  database: Database;
  log: Logger;
}

const LIMIT_MS = 1_000;
const MINUTE_MS = 60_000;
const STUCK_AFTER_MINUTES = 60;
const JOB_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Serves `/health/live`, `/health/ready`, and `/metrics` of this worker alone, and detects a stuck worker. Throws if the port is in use. */
export async function openWorkerHealth({ port, host, database, log }: HealthOptions) {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const duration = new Histogram({
    name: 'almanac_job_duration_seconds',
    help: 'Duration of a job at this worker, of one attempt, by outcome.',
    labelNames: ['queue', 'outcome'] as const,
    buckets: JOB_SECONDS,
    registers: [metrics],
  });
  let queues: Queues | undefined;
  let isOutdated = false;
  let isStuck = false;
  const end = createGate();
  let timer: NodeJS.Timeout | undefined;
  /** Consecutive checks with waiting jobs of which none started or ended. There are none while a machine sleeps. */
  const idleLooks = { ingest: 0, blend: 0 };

  async function isIdle(queue: IngestQueue | BlendQueue): Promise<boolean> {
    const { waiting = 0 } = await queue.getJobCounts('waiting');
    return waiting > 0 && !(await queue.isPaused());
  }

  /** Called every minute once the worker takes jobs. */
  async function lookAt({ ingest, blend }: Queues): Promise<void> {
    for (const [name, queue] of [['ingest', ingest] as const, ['blend', blend] as const]) {
      // An unreachable queue is not this worker's fault; its users log the reason.
      idleLooks[name] = (await isIdle(queue).catch(() => false)) ? idleLooks[name] + 1 : 0;
      // An outdated worker leaves its jobs to others.
      if (idleLooks[name] <= STUCK_AFTER_MINUTES || isOutdated || isStuck) continue;
      isStuck = true;
      const reason = `jobs have waited for ${STUCK_AFTER_MINUTES} minutes in which none began or ended`;
      log.fatal({ queue: name, reason }, 'this worker is stuck and exits, to be restarted');
      end.open();
    }
  }

  /**
   * `stuck`: jobs have waited for an hour in which this worker neither started nor ended any job of their
   * queue. `outdated`: it takes no more jobs, because the blends are of a newer method than its own, or leave
   * out other providers. The response has status 200 only if the status is `ready`.
   */
  async function readiness() {
    const [reached, queued] = await Promise.all([
      withinLimit(ping(database, LIMIT_MS)),
      queues ? withinLimit(queues.tryWrite()) : ('down' as const),
    ]);
    const working = reached === 'down' || queued === 'down' ? 'down' : isStuck ? 'stuck' : 'ready';
    return {
      status: isOutdated ? 'outdated' : queues ? working : 'starting',
      database: reached,
      queues: queued,
    };
  }

  async function respond(url: string | undefined, response: ServerResponse): Promise<void> {
    if (url === '/metrics') return sendText(response, metrics.contentType, await metrics.metrics());
    if (url === '/health/live')
      return send(response, isStuck ? 503 : 200, { status: isStuck ? 'stuck' : 'up' });
    if (url !== '/health/ready')
      return send(response, 404, { success: false, status: 404, message: 'not found' });
    const body = await readiness();
    send(response, body.status === 'ready' ? 200 : 503, body);
  }

  const server = createServer((request, response) => void respond(request.url, response));
  if (port !== undefined) {
    server.listen(port, host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new ConfigurationError(`ADMIN_PORT: port ${port} is already in use`);
    });
  }

  return {
    /** Settles with the exit code once the worker is stuck and must be restarted. */
    ended: end.opened.then(() => 1),
    lookAt,
    /** Called when only newer programs may do the work. */
    outdated() {
      isOutdated = true;
    },
    /** Counts the jobs that start and end at a worker of this process. */
    observe(queue: 'ingest' | 'blend', worker: Pick<EventEmitter, 'on'>): void {
      const ended = (outcome: 'completed' | 'failed') => (job: { processedOn?: number } | undefined) => {
        idleLooks[queue] = 0;
        const now = Date.now();
        duration.observe({ queue, outcome }, Math.max(0, now - (job?.processedOn ?? now)) / 1_000);
      };
      worker.on('active', () => {
        idleLooks[queue] = 0;
      });
      worker.on('completed', ended('completed'));
      worker.on('failed', ended('failed'));
    },
    /** Called once the worker takes jobs. Until then it is starting. */
    working(opened: Queues): void {
      queues = opened;
      timer = setInterval(() => void lookAt(opened), MINUTE_MS).unref();
    },
    async close() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** `down` if the check takes longer than a second or fails. Other users of the server log the reason. */
async function withinLimit(check: Promise<unknown>): Promise<'up' | 'down'> {
  const checked = check.then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return within(LIMIT_MS, checked, 'down' as const);
}

function send(response: ServerResponse, status: number, body: object): void {
  sendText(response, 'application/json; charset=utf-8', JSON.stringify(body), status);
}

function sendText(response: ServerResponse, contentType: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}
