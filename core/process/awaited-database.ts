import { once } from 'node:events';

/** The argument of a program that starts while its database does. Its parent sends the URL once that runs. */
export const AWAIT_DATABASE = '--await-database';

export const awaitsDatabase = process.argv.includes(AWAIT_DATABASE);

/** An additional argument if the database is only just being created. */
export const EMPTY_DATABASE = '--empty-database';

export const expectsEmptyDatabase = process.argv.includes(EMPTY_DATABASE);

/** The variables of this program, with the URL from its parent if it waits for one. Throws the signal's reason. */
export async function awaitDatabase(stopping: AbortSignal): Promise<NodeJS.ProcessEnv> {
  if (!awaitsDatabase) return process.env;
  const [url] = await once(process, 'message', { signal: stopping }).catch((error: unknown) => {
    stopping.throwIfAborted();
    throw error;
  });
  return { ...process.env, DATABASE_URL: String(url), DATABASE_URL_FILE: '' };
}
