import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../support/postgres-server.js';
import { buildWithFewRates } from '../../support/service.js';

let build: string;
beforeAll(async () => {
  build = await buildWithFewRates();
});

/** Runs the service on a terminal of its own, and gives what stays on it: a bar clears its line at the end. */
function startOnTerminal(variables: Record<string, string>) {
  const command = `exec ${process.execPath} ${join(build, 'core', 'start', 'main.js')}`;
  const { PATH, HOME } = process.env;
  const terminal: ChildProcess = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH, HOME, TERM: 'xterm', PORT: '0', HOST: '127.0.0.1', SCHEDULE: 'off', ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  terminal.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = once(terminal, 'close').then(([code]) => code);
  onTestFinished(async () => {
    terminal.stdin?.write('\u0003');
    await ended;
  });
  const lines = () =>
    shown
      .split('\r\n')
      .map((line) => line.split('\u001b[2K').at(-1) ?? '')
      .filter((line) => line !== '');
  return { shown: () => shown, lines, ended, type: (key: string) => terminal.stdin?.write(key) };
}

it.skipIf(process.platform !== 'linux')(
  'a start on a terminal shows what it does with times, and the address last',
  async () => {
    const folder = await temporaryFolder();
    const first = startOnTerminal({ DATA_DIR: folder });
    const listens = expect.stringMatching(/^Almanac listens on http:\S+$/);
    const patiently = { timeout: 240_000, interval: 100 };
    await vi.waitFor(() => expect(first.lines().at(-1)).toEqual(listens), patiently);
    expect(first.shown()).toMatch(/starting PostgreSQL +\d+ s/);
    // Where nothing is wrong, nothing follows.
    await fetch(`${/http:\S+$/.exec(first.lines().at(-1) ?? '')?.[0]}/v2/none`);
    await delay(2_000);
    const lines = first.lines().filter((line) => !/^(newest|older) rates loaded in /.test(line));
    expect(lines).toEqual([
      expect.stringMatching(/^PostgreSQL started in \d+\.\d s$/),
      'starting the API and the worker',
      expect.stringMatching(/^database migrated \(\d+ migrations\) in \d+\.\d s$/),
      expect.stringMatching(/^The newest rates are of 2026-\d\d-\d\d, \d+ days old\. .*SCHEDULE=off\)\.$/),
      expect.stringMatching(
        /^Set the operators' token within an hour: http:\S+\/admin\/login\?link=[\w-]{43}$/,
      ),
      expect.stringMatching(/^The reference is at \S+\/docs\. Press Ctrl-C to stop\.$/),
      listens,
    ]);
    // A setting that is wrong is one line, without the remains of a bar.
    const refused = startOnTerminal({
      DATA_DIR: folder,
      REDIS_URL: 'redis://127.0.0.1:9',
      LOG_LEVEL: 'none',
    });
    expect(await refused.ended).toBe(78);
    expect(refused.lines()).toEqual([expect.stringMatching(/^almanac: invalid configuration: LOG_LEVEL: /)]);
    first.type('\u0003');
    expect(await first.ended).toBe(0);
  },
);
