import type { Command } from 'commander';
import { CommandFailed, failureLine, type Session } from './session.js';

const LIMIT_MS = 5_000;
const ALL_ADDRESSES = ['0.0.0.0', '::'];

export const help = `
Requests /health/ready on PORT, or with --worker on ADMIN_PORT. Prints nothing and exits with 0 if the program is ready, or
prints one line and exits with 1. The images use it as their health check.`;

export function define(command: Command, session: Session): void {
  command
    .option('--worker', 'check the worker, on ADMIN_PORT, in place of the API')
    .action(checkHealth.bind(null, session));
}

async function checkHealth({ config }: Session, options: { worker?: boolean }): Promise<void> {
  const port = options.worker ? config.ADMIN_PORT : config.PORT;
  if (port === undefined) throw new CommandFailed('a worker has no health check unless ADMIN_PORT is set');
  const host = ALL_ADDRESSES.includes(config.HOST) ? '127.0.0.1' : config.HOST;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/health/ready`;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new CommandFailed(`${url}: ${failureLine(error)}`);
  });
  if (!response.ok) throw new CommandFailed(`${url}: ${response.status} ${await response.text()}`);
}
