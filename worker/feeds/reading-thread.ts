import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../../core/process/config.js';
import type { ErrorMessage } from '../../core/process/error-message.js';
import { createLogger } from '../../core/process/logger.js';
import { type CustomSource, setCustomSources } from '../../core/sources/custom-sources.js';
import { toError, toMessage } from './feed-error.js';
import { clientOf, type HttpAnswer, type HttpClient } from './http/client.js';
import { httpAnswer } from './http/response.js';
import { type ReadContext, type ReadRequest, type ReadResult, readRates } from './read.js';
import { loadFeed } from './registry.js';

export interface ReadingTask extends Pick<ReadContext, 'today' | 'credentials' | 'recorded'> {
  key: string;
  request: ReadRequest;
  /** The operator's custom sources, as the program read them at its start. */
  customSources: readonly CustomSource[];
  logLevel: Config['LOG_LEVEL'];
  port: MessagePort;
}

export type ReadingOutcome = { read: ReadResult } | { error: ErrorMessage };

/** The result of a request that a thread has sent. */
export type ClientReturn = { answer: Omit<HttpAnswer, 'text'> } | { error: ErrorMessage };

let log: Logger | undefined;

/** Reads one window of a feed in a separate thread, because parsing can take unlimited memory and time. */
export default async function readInThread({
  key,
  request,
  customSources,
  logLevel,
  port,
  ...context
}: ReadingTask): Promise<ReadingOutcome> {
  port.postMessage('begun');
  try {
    setCustomSources(customSources);
    // One log for all tasks of a thread. It is written to until the thread ends.
    log ??= createLogger({ LOG_LEVEL: logLevel }, 'worker');
    const feed = await loadFeed(key);
    const clients = { http: clientOver(port), log: log.child({ provider: key }) };
    return { read: await readRates(feed, request, { ...context, ...clients }) };
  } catch (error) {
    return { error: toMessage(error) };
  } finally {
    port.close();
  }
}

/** Creates a client whose requests the other end of the port sends. A feed sends one at a time. */
function clientOver(port: MessagePort): HttpClient {
  return clientOf(async (request) => {
    port.postMessage(request);
    const [returned] = (await once(port, 'message')) as [ClientReturn];
    if ('error' in returned) throw toError(returned.error);
    return httpAnswer({ ...returned.answer });
  });
}
