import type { Content } from '../../http/reply.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RatesInput } from './ask.js';
import { type Knowledge, type KnowledgeDependencies, knowledgeNow, knowledgeOf } from './knowledge.js';

/** What contents are made from, in the thread that makes them. */
export interface Ground extends KnowledgeDependencies {
  /** The data version that the request was resolved with. */
  snapshot: Snapshot;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Makes the content of a question about rates, without waiting where these are in memory. Throws an HttpError with what the
 * client is told, and as the raw store does.
 */
export type MakeFromRates<Input extends RatesInput, From extends Ground = Ground> = (
  input: Input,
  knowledge: Knowledge,
  ground: From,
) => Content | Promise<Content>;

/** A maker that gets the input of a task, over one that also gets what is known at the instant of the request. */
export function fromRates<Input extends RatesInput, From extends Ground>(
  make: MakeFromRates<Input, From>,
): (input: Input, ground: From) => Content | Promise<Content> {
  return (input, ground) => {
    const { past, today } = input;
    if (!past) return make(input, knowledgeNow(ground, ground.snapshot, today), ground);
    return knowledgeOf(ground, ground.snapshot, past).then((knowledge) => make(input, knowledge, ground));
  };
}
