import type { AttackContext } from './attack.js';
import { type AskOptions, ask } from './requests.js';

export interface Asked extends Omit<AskOptions, 'from'> {
  path: string;
  /** The name of the request in faults. The default is the path. */
  name?: string;
}

/** Clients, each with its own address in the network, such as `127.1.2`. */
export interface Clients {
  count: number;
  network: string;
  seconds: number;
  connections?: number;
  /** The most requests of all clients together. */
  most?: number;
}

/**
 * Sends requests one after the other on each connection. A 5xx fails, except a 503 with `retry-after`. Returns the status of
 * each response.
 */
export async function askByManyClients(
  { fail }: AttackContext,
  url: string,
  { count, network, seconds, connections = 1, most = Number.POSITIVE_INFINITY }: Clients,
  requestOf: (number: number) => Asked,
): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const statuses: number[] = [];
  let asked = 0;
  const send = async (_: unknown, connection: number) => {
    while (performance.now() < until && asked < most) {
      const { path, name = path, ...options } = requestOf(asked++);
      const from = `${network}.${1 + (connection % count)}`;
      const { status, headers } = await ask(url, path, { ...options, from });
      statuses.push(status);
      const isRefused = status === 503 && headers['retry-after'] !== undefined;
      if (status >= 500 && !isRefused) fail(`${name}: status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: count * connections }, send));
  return statuses;
}
