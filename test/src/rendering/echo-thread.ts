import { once } from 'node:events';
import { threadId } from 'node:worker_threads';
import type { MadeMessage, MakeMessage } from '../../../src/rendering/render-thread.js';

export interface EchoInput {
  /** Whether it takes until the client leaves. */
  isHeld?: boolean;
}

export interface Echo {
  thread: number;
  /** Whether the data version came with the message. */
  isGiven: boolean;
}

/** A thread that tells what it was given. */
export default async function echo({ input, snapshot, port }: MakeMessage): Promise<MadeMessage> {
  if ((input as EchoInput).isHeld) await once(port, 'close');
  const echoed: Echo = { thread: threadId, isGiven: snapshot !== undefined };
  return { content: { type: 'text/plain' }, body: JSON.stringify(echoed) };
}
