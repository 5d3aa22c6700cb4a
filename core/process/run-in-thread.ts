import { Worker } from 'node:worker_threads';
import { codeFile } from './project-files.js';

/** Runs a module in a thread with the given data, and returns the message that it sends. Throws the error that ends it. */
export function runInThread<Message>(path: string, workerData: unknown): Promise<Message> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(codeFile(path), { workerData });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error(`the thread of ${path} has ended without a result`)));
  });
}
