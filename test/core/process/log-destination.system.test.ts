import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { droppedLines, openLogDestination } from '../../../core/process/log-destination.js';
import { BUILD, buildService } from '../../support/service.js';

const MANY = 60_000;
const LOGGER = pathToFileURL(join(BUILD, 'core', 'process', 'logger.js'));

beforeAll(buildService);

function start(words: string[], script: string) {
  const program = spawn(process.execPath, [...words, '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const { stdout, stderr } = program;
  if (!stdout || !stderr) throw new Error('the program has no output');
  return { program, stdout, stderr };
}

/** A program that logs a number of lines of 200 letters, sends its parent a message, and then goes on as it says. */
const startLogging = (lines: number, then: string) =>
  start(
    ['--input-type=module'],
    `import { setImmediate } from 'node:timers/promises';
     import { createLogger } from '${LOGGER}';
     const log = createLogger({ LOG_LEVEL: 'info' }, 'test');
     for (let line = 0; line < ${lines}; line++) {
       log.info({ line, text: 'x'.repeat(200) });
       if (line % 100 === 0) await setImmediate();
     }
     process.send('logged');
     ${then}`,
  );

it('logs on while nothing reads the log, and says then how many lines it dropped', async () => {
  const { program, stdout } = startLogging(
    MANY,
    `process.once('message', () => { log.info('the last line'); process.disconnect(); setTimeout(() => {}, 1_000); });`,
  );
  await once(program, 'message');
  const numbers: number[] = [];
  let dropped = 0;
  for await (const text of createInterface({ input: stdout })) {
    const line = JSON.parse(text) as { line?: number; lines?: number; msg?: string };
    if (line.line !== undefined) numbers.push(line.line);
    if (line.msg === 'the last line') break;
    if (line.lines === undefined) continue;
    dropped += line.lines;
    program.send('go on');
  }
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(dropped).toBeGreaterThan(MANY / 2);
  expect(numbers.length + dropped).toBe(MANY);
});

it('a program ends while nothing reads its log', async () =>
  expect(await once(startLogging(MANY, 'process.exit(3);').program, 'exit')).toEqual([3, null]));

it('what is logged right before the exit is written', async () => {
  const { stdout } = startLogging(5, `log.info('the last line'); process.exit();`);
  expect(await text(stdout)).toMatch(/the last line"\}\n$/);
});

it('a thread logs to where its program does', async () => {
  const thread = `import('${LOGGER}').then(({ createLogger }) => {
    for (const to of ['stdout', 'stderr']) createLogger({ LOG_LEVEL: 'info' }, 'test', { to }).info(to);
  })`;
  const worker = `new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true })`;
  const { stdout, stderr } = start([], worker);
  const [out, error] = await Promise.all([text(stdout), text(stderr)]);
  expect(JSON.parse(out)).toMatchObject({ name: 'test', msg: 'stdout' });
  expect(JSON.parse(error)).toMatchObject({ name: 'test', msg: 'stderr' });
});

it('counts what can not be written', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const before = droppedLines();
  const destination = openLogDestination(full.fd, () => undefined);
  for (const line of ['one\n', 'two\n']) destination.write(line);
  await expect.poll(droppedLines).toBe(before + 2);
});
