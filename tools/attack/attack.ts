import type { Environment } from './environment.js';

/** The input of an attack. */
export interface AttackContext {
  environment: Environment;
  /** Whether this is the short form, in which attacks last for seconds. */
  short: boolean;
  signal: AbortSignal;
  /** Records a failed check. */
  fail(what: string): void;
  /** Waits. Ends early if the attacks are stopped. */
  pause(ms: number): Promise<void>;
}

/** Something that a client or the machine does to the service. */
export interface Attack {
  name: string;
  /** Returns a line for the table: what was done, and the result. Reports failed checks to `fail`. */
  run(context: AttackContext): Promise<string>;
  /** Bars that the attack misses by its nature. */
  spares?: readonly Bar[];
  /** Set if a single client attacks. Its load may delay another client only by a fair share. */
  isByOne?: true;
}

/** What is guaranteed to another client during an attack. */
export type Bar = 'memory' | 'live' | 'hot' | 'raw' | 'share';

/** Thrown if an attack is impossible on this machine. The message is the reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Throws a Skipped if the machine does not permit the work. */
export async function unlessForbidden<T>(what: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Skipped(`${what}: ${error.message.trim().split('\n').at(-1)}`);
  });
}
