import { systemClock } from '../../core/domain/dates.js';
import { lowerPriority } from '../../core/process/priority.js';
import { runCommandLine } from './program.js';
import { EXIT } from './session.js';

/** Timeout for the cleanup of a stopped command. */
const STOP_LIMIT_MS = 20_000;

const words = process.argv.slice(2);
// Keeps a service on the same machine responsive while a command imports or blends. A health check has to end in time.
if (words[0] !== 'healthcheck') lowerPriority();

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A Ctrl-C may arrive twice: from the terminal and from the parent.
  process.on(signal, () => {
    stopping.abort();
    setTimeout(() => process.exit(EXIT.interrupted), STOP_LIMIT_MS).unref();
  });
}

const { env: variables, stdin, stdout, stderr } = process;
process.exitCode = await runCommandLine(words, {
  variables,
  clock: systemClock,
  stdin,
  stdout,
  stderr,
  stopping: stopping.signal,
});
