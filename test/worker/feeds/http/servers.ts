import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { HttpClientError } from '../../../../core/http-client/http-client-error.js';
import {
  type HttpClientOptions,
  type LiveHttpClient,
  openHttpClient,
} from '../../../../worker/feeds/http/live-client.js';

/** The port at which a server listens until the test is over. */
export async function listening(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export async function originOf(server: Server, protocol = 'http'): Promise<string> {
  return `${protocol}://127.0.0.1:${await listening(server)}`;
}

/** A client for the time of the test. */
export function clientWith(options: HttpClientOptions): LiveHttpClient {
  const client = openHttpClient(options);
  onTestFinished(() => client.close());
  return client;
}

export async function errorOf(promise: Promise<unknown>): Promise<HttpClientError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HttpClientError) return error;
  throw new Error(`not an HttpClientError: ${String(error)}`);
}
