import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  retry,
  TaskCancelledError,
  wrap,
} from 'cockatiel';
import { Agent } from 'undici';
import type { Clock } from '../../core/domain/clock.js';
import { exchange, type Question } from './exchange.js';
import { type FaultKind, UpstreamFault } from './upstream-error.js';

/** Sees every question and its end, for metrics. */
export interface UpstreamObserver {
  asked(upstream: string, outcome: 'answered' | FaultKind, milliseconds: number): void;
  circuit(upstream: string, state: 'open' | 'half-open' | 'closed'): void;
}

export interface UpstreamOptions {
  /** Its name in logs and metrics. */
  name: string;
  /** Where it lies, without a trailing slash. */
  baseUrl: string;
  clock: Clock;
  observer?: UpstreamObserver | undefined;
  /** Most questions under way at once. */
  atOnce?: number;
  /** Most questions that wait for their turn; one more is refused. */
  waiting?: number;
  connectMs?: number;
  maxBytes?: number;
  /** How long an open circuit stays so before one question tries again. */
  circuitMs?: number;
  /** Mean wait before the first retry; it grows, with jitter, up to half a second. */
  retryMs?: number;
}

/** A third party's service, reached with care: for it and for those who wait here. */
export interface Upstream {
  readonly name: string;
  /** Asks until the signal aborts. Throws an UpstreamFault when there is no usable answer. */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<T>;
}

const RETRIES = 2;
const RETRY_MAX_MS = 500;
const FAULTS_TO_OPEN = 5;
const LONGEST_REST_SECONDS = 900;
const MEBIBYTE = 1024 * 1024;

/**
 * Opens an upstream. Order of the layers, outermost first: rest asked for by the upstream itself (429 with
 * `retry-after`), bulkhead, circuit breaker, retry. So what waits in the bulkhead falls through at once when the
 * circuit opens, and a question counts once for the circuit however often it was retried.
 */
export function openUpstream(options: UpstreamOptions): Upstream {
  const { name, clock, observer } = options;
  const dispatcher = new Agent({
    connect: { timeout: options.connectMs ?? 2_000 },
    maxResponseSize: options.maxBytes ?? 2 * MEBIBYTE,
    connections: options.atOnce ?? 4,
    // The signal bounds the whole; these only free a connection whose question was given up.
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  });
  const reach = { baseUrl: options.baseUrl, dispatcher, clock };
  const circuit = circuitBreaker(handleType(UpstreamFault), {
    halfOpenAfter: options.circuitMs ?? 30_000,
    breaker: new ConsecutiveBreaker(FAULTS_TO_OPEN),
  });
  circuit.onBreak(() => observer?.circuit(name, 'open'));
  circuit.onHalfOpen(() => observer?.circuit(name, 'half-open'));
  circuit.onReset(() => observer?.circuit(name, 'closed'));
  const policy = wrap(
    bulkhead(options.atOnce ?? 4, options.waiting ?? 64),
    circuit,
    retry(
      handleType(UpstreamFault, (fault) => fault.retryable && fault.restSeconds === 0),
      {
        maxAttempts: RETRIES,
        backoff: new ExponentialBackoff({ initialDelay: options.retryMs ?? 150, maxDelay: RETRY_MAX_MS }),
      },
    ),
  );
  let restsUntil = 0;

  async function ask<T>(question: Question<T>, signal: AbortSignal): Promise<T> {
    const started = performance.now();
    try {
      if (clock().getTime() < restsUntil) throw new UpstreamFault('limited', 'it asked for a rest');
      const answer = await policy.execute(() => exchange(question, reach, signal), signal);
      observer?.asked(name, 'answered', performance.now() - started);
      return answer;
    } catch (error) {
      const fault = toFault(error);
      if (!fault) throw error;
      observer?.asked(name, fault.kind, performance.now() - started);
      if (fault.restSeconds > 0) {
        restsUntil = clock().getTime() + Math.min(fault.restSeconds, LONGEST_REST_SECONDS) * 1_000;
      }
      throw fault;
    }
  }
  return { name, ask };
}

function toFault(error: unknown): UpstreamFault | undefined {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof BrokenCircuitError) return new UpstreamFault('open-circuit', 'it failed too often');
  if (error instanceof BulkheadRejectedError)
    return new UpstreamFault('busy', 'too many questions wait for it');
  if (error instanceof TaskCancelledError) return new UpstreamFault('timeout', 'its turn came too late');
  return undefined;
}
