import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type PackedBlends, packBlends, type Replaced, replaceBlends, unpackBlends } from './blends.js';

export type ReplaceMessage = (Pick<Replaced, 'window'> & { readonly old: PackedBlends }) | undefined;

async function replace(port: MessagePort, message: ReplaceMessage): Promise<void> {
  const replaced = message && { ...message, old: unpackBlends(message.old) };
  port.postMessage(packBlends(await replaceBlends(chunksFrom(port), replaced)));
}

/** Confirms each chunk with an undefined message once it is decoded. Another one ends them. */
async function* chunksFrom(port: MessagePort): AsyncGenerator<Buffer> {
  for await (const [chunk] of on(port, 'message') as AsyncIterable<[Uint8Array | undefined]>) {
    if (chunk === undefined) return;
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    port.postMessage(undefined);
  }
}

if (parentPort) void replace(parentPort, workerData); // An error ends the thread, and reaches its parent.
