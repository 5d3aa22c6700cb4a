import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  type IBackoff,
  retry,
  wrap,
} from 'cockatiel';
import { createSemaphore, QueueFull } from '../../core/concurrency/semaphore.js';
import { createCoolDown } from '../../core/concurrency/within.js';
import type { Clock } from '../../core/domain/dates.js';
import { openAgent } from '../../core/http-client/open-agent.js';
import type { Proxies } from '../../core/http-client/proxies.js';
import { UpstreamError, type UpstreamErrorKind, withinDeadline } from './upstream-error.js';
import { sendUpstreamRequest, type UpstreamConnection, type UpstreamRequest } from './upstream-request.js';

/** For metrics. */
export interface UpstreamObserver {
  requested(upstream: string, outcome: 'answered' | UpstreamErrorKind, milliseconds: number): void;
  circuit(upstream: string, state: 'open' | 'half-open' | 'closed'): void;
}

export interface UpstreamContext {
  clock: Clock;
  upstreamObserver?: UpstreamObserver;
  config?: Proxies;
}

export interface UpstreamOptions {
  /** In logs and metrics. */
  name: string;
  /** Without a trailing slash. */
  baseUrl: string;
  atOnce?: number;
  /** Further requests are refused. */
  waiting?: number;
  connectMs?: number;
  /** In bytes after decompression. */
  maxBytes?: number;
  circuitMs?: number;
  /** The mean wait before the first retry. Later waits grow, with jitter, up to half a second. */
  retryMs?: number;
  /** The monotonic clock of the cool-down, in milliseconds; for tests. */
  now?: () => number;
}

export type Upstream = ReturnType<typeof openUpstream>;

/** Waiting requests end at the deadline of their load, so this limit only bounds memory. */
const WAITING = 1_024;
const RETRIES = 2;
const LONGEST_RETRY_WAIT_MS = 500;
const ERRORS_TO_OPEN = 5;
const CIRCUIT_MS = 30_000;
const MEBIBYTE = 1024 * 1024;

/**
 * The layers, outermost first: cool-down (429 with `retry-after`), semaphore, circuit breaker, retries. A waiting
 * request thus fails at once when the circuit opens, and counts once for the circuit however often it is retried.
 */
export function openUpstream(context: UpstreamContext, options: UpstreamOptions) {
  const { name } = options;
  const { upstreamObserver: observer } = context;
  const coolDown = createCoolDown(options.now);
  const semaphore = createSemaphore({ permits: options.atOnce ?? 4, queueLimit: options.waiting ?? WAITING });
  /** Lasts for as long as the circuit is open. */
  const openTime = createCoolDown(options.now);
  const circuit = openCircuit(options, openTime, observer);
  const policy = wrap(circuit, retries(options.retryMs ?? 150));
  const connection = openConnection(options, context);

  function refuseDuringCoolDown(): void {
    if (!coolDown.isActive()) return;
    throw new UpstreamError('limited', 'it requested a cool-down', { coolDownMs: coolDown.remaining() });
  }

  async function sendBounded<T>(request: UpstreamRequest<T>, signal: AbortSignal): Promise<T> {
    refuseDuringCoolDown();
    return semaphore.run(
      async () => {
        // The cool-down may have begun while this request waited for its permit.
        refuseDuringCoolDown();
        try {
          return await policy.execute(() => sendUpstreamRequest(request, connection, signal), signal);
        } catch (error) {
          if (error instanceof UpstreamError) coolDown.start(error.coolDownMs);
          throw error;
        }
      },
      { signal },
    );
  }

  /** Retries, and settles once the signal aborts at the latest. Throws an UpstreamError. */
  async function send<T>(request: UpstreamRequest<T>, signal: AbortSignal): Promise<T> {
    const started = performance.now();
    try {
      const result = await withinDeadline(signal, sendBounded(request, signal));
      observer?.requested(name, 'answered', performance.now() - started);
      return result;
    } catch (thrown) {
      const error = toUpstreamError(thrown, openTime.remaining());
      if (!error) throw thrown;
      observer?.requested(name, error.kind, performance.now() - started);
      throw error;
    }
  }
  return { name, send };
}

function openConnection(options: UpstreamOptions, { clock, config }: UpstreamContext): UpstreamConnection {
  const dispatcher = openAgent({
    proxies: config,
    connect: { timeout: options.connectMs ?? 2_000 },
    connections: options.atOnce ?? 4,
    // The signal limits a request. These only release the connection of an aborted one.
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  });
  const { baseUrl, maxBytes = 2 * MEBIBYTE } = options;
  return { baseUrl, clock, maxBytes, dispatcher };
}

function openCircuit(
  { name, circuitMs = CIRCUIT_MS }: UpstreamOptions,
  openTime: ReturnType<typeof createCoolDown>,
  observer?: UpstreamObserver,
) {
  // On the monotonic clock: the library compares `duration` with the wall clock.
  const halfOpenAfter: IBackoff<unknown> = {
    get duration() {
      return openTime.isActive() ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    },
    next: () => halfOpenAfter,
  };
  const breaker = new ConsecutiveBreaker(ERRORS_TO_OPEN);
  const circuit = circuitBreaker(handleType(UpstreamError, isOutage), { halfOpenAfter, breaker });
  circuit.onBreak(() => openTime.start(circuitMs));
  circuit.onBreak(() => observer?.circuit(name, 'open'));
  circuit.onHalfOpen(() => observer?.circuit(name, 'half-open'));
  circuit.onReset(() => observer?.circuit(name, 'closed'));
  return circuit;
}

/** Any other error may be that of one query, as a 400 is, and must not keep the requests of other clients away. */
function isOutage({ kind, retryable }: UpstreamError): boolean {
  return ['unreachable', 'timeout', 'limited'].includes(kind) || (kind === 'status' && retryable);
}

function retries(initialDelay: number) {
  return retry(
    handleType(UpstreamError, (error) => error.retryable && error.coolDownMs === 0),
    {
      maxAttempts: RETRIES,
      backoff: new ExponentialBackoff({ initialDelay, maxDelay: LONGEST_RETRY_WAIT_MS }),
    },
  );
}

function toUpstreamError(error: unknown, openMs: number): UpstreamError | undefined {
  if (error instanceof UpstreamError) return error;
  if (error instanceof BrokenCircuitError) {
    return new UpstreamError('open-circuit', 'it failed too often', { coolDownMs: openMs });
  }
  return error instanceof QueueFull ? new UpstreamError('busy', 'too many requests wait for it') : undefined;
}
