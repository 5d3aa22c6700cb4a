import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { FeedError } from '../feed.js';

const MOST_SECONDS = 30;
const MOST_MEMORY = 400 * 1024 * 1024;
const LOOK_EVERY = 25;

/** Starts the part of pdf.js that decompresses and decodes. */
const START = `
const { workerData: { module, port } } = require('node:worker_threads');
import(module).then(({ WorkerMessageHandler }) => WorkerMessageHandler.initializeFromPort(port));
`;

/** Opens a thread for one PDF, which can be terminated, as the expansion of a PDF can't be measured in advance. */
export function openPdfThread() {
  const { port1, port2 } = new MessageChannel();
  const module = createRequire(import.meta.url).resolve('pdfjs-dist/legacy/build/pdf.worker.mjs');
  const thread = new Worker(START, {
    eval: true,
    workerData: { module: pathToFileURL(module).href, port: port2 },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const before = process.memoryUsage.rss();
  const started = performance.now();
  let watch: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    const refuse = (what: string, cause?: unknown) => {
      reject(new FeedError(what, { cause }));
      void thread.terminate();
    };
    watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MOST_MEMORY)
        refuse(`it takes more than ${MOST_MEMORY} bytes of memory`);
      else if (performance.now() - started > MOST_SECONDS * 1000)
        refuse(`it takes more than ${MOST_SECONDS} s`);
    }, LOOK_EVERY);
    thread.on('error', (error) => refuse(`its decoding broke off: ${error.message}`, error));
  });
  // Callers await this together with the text. A later failure has no handler.
  failed.catch(() => {});

  return {
    port: port1,
    /** Rejects with a FeedError if the PDF takes more memory or time than any bulletin. Never resolves. */
    failed,
    async close(): Promise<void> {
      clearInterval(watch);
      port1.close();
      await thread.terminate();
    },
  };
}
