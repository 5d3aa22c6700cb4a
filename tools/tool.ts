import type { Writable } from 'node:stream';

/** Where a tool prints its result, and what it has to say about it. */
export type Streams = Readonly<Record<'stdout' | 'stderr', Writable>>;

/** What a tool's module exports. */
export interface Tool {
  /** Its name with its options, and what it does. */
  usage: string;
  /**
   * Returns the exit code. Throws a UsageError, or what `parseArgs` throws, where it can't use its options; `--help` is never
   * among them.
   */
  run(args: string[], streams: Streams): Promise<number>;
}
