import { Worker } from 'node:worker_threads';
import { codeFile } from '../../core/process/project-files.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import type { Tasks } from './thread.js';

type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/** Runs a task in a thread with the given data. Throws the error that ends it. */
export function inThread<Name extends keyof Tasks>(
  task: Name,
  given: Parameters<Tasks[Name]>[0],
): Promise<Result<Name>> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(codeFile('src/rates/thread.js'), { workerData: { task, given } });
    thread.once('message', resolve);
    thread.once('error', (error) => reject(restored(error)));
    thread.once('exit', () => reject(new Error(`the thread has ended without the result of ${task}`)));
  });
}

/** Threads send errors with their properties, but without the classes that are not part of the language. */
function restored(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'PublicationError') return error;
  const { fault, detail, path } = error as PublicationError;
  return new PublicationError(fault, detail, { path });
}
