import type { Writable } from 'node:stream';

/** The streams for a tool's result and for its messages. */
export type Streams = Readonly<Record<'stdout' | 'stderr', Writable>>;

/** What a tool's module exports. */
export interface Tool {
  /** Its name with its options, and a description. */
  usage: string;
  /** Returns the exit code. Throws a UsageError, or an error of `parseArgs`, if its options are invalid. */
  run(args: string[], streams: Streams): Promise<number>;
}
