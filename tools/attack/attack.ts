import type { Environment } from './environment.js';

/** What every attack is given. */
export interface AttackContext {
  environment: Environment;
  /** Whether this is the short form, in which attacks last for seconds. */
  short: boolean;
  signal: AbortSignal;
  /** Records that something did not hold. */
  fail(what: string): void;
  /** A pause, ended early where the attacks are stopped. */
  pause(ms: number): Promise<void>;
}

/** Something that a client or the machine does to the service. */
export interface Attack {
  name: string;
  /** Returns what was done and what came of it, in one line for the table. Its own checks go to `fail`. */
  run(context: AttackContext): Promise<string>;
  /** Bars that the attack breaks by what it is. */
  spares?: readonly Bar[];
  /** One client makes it: another client's requests may be delayed by no more than that client's share. */
  isByOne?: true;
}

/** What has to hold for the other client while the service is attacked. */
export type Bar = 'memory' | 'live' | 'hot' | 'raw' | 'share';

/** The reason why an attack can't be made here. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** The work, skipped where the machine does not allow it. */
export async function unlessForbidden<T>(what: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Skipped(`${what}: ${error.message.trim().split('\n').at(-1)}`);
  });
}
