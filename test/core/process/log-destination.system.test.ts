import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { droppedLines, openLogDestination } from '../../../core/process/log-destination.js';
import { BUILD, buildService } from '../../support/service.js';

const MANY = 60_000;

/** A program that logs so many lines of 200 letters, tells its parent, and then goes on as it says. */
async function startLogging(lines: number, then: string): Promise<ChildProcess> {
  await buildService();
  const logger = pathToFileURL(join(BUILD, 'core', 'process', 'logger.js'));
  const script = `
    import { setImmediate } from 'node:timers/promises';
    import { createLogger } from '${logger}';
    const log = createLogger({ LOG_LEVEL: 'info' }, 'test');
    for (let line = 0; line < ${lines}; line++) {
      log.info({ line, text: 'x'.repeat(200) });
      if (line % 100 === 0) await setImmediate();
    }
    process.send('logged');
    ${then}`;
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  return program;
}

function linesOf({ stdout }: ChildProcess): AsyncIterable<string> {
  if (!stdout) throw new Error('the program has no standard output');
  return createInterface({ input: stdout });
}

test('logs on while nothing reads the log, and says then how many lines it dropped', async () => {
  const program = await startLogging(
    MANY,
    `process.once('message', () => { log.info('the last line'); process.disconnect(); setTimeout(() => {}, 1_000); });`,
  );
  await once(program, 'message');
  const numbers: number[] = [];
  let dropped = 0;
  for await (const text of linesOf(program)) {
    const line = JSON.parse(text) as { line?: number; lines?: number; msg?: string };
    if (line.line !== undefined) numbers.push(line.line);
    if (line.msg === 'the last line') break;
    if (line.lines === undefined) continue;
    dropped += line.lines;
    program.send('go on');
  }
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(dropped).toBeGreaterThan(MANY / 2);
  expect(numbers.length + dropped).toBe(MANY);
});

test('a program ends while nothing reads its log', async () => {
  const program = await startLogging(MANY, 'process.exit(3);');
  expect(await once(program, 'exit')).toEqual([3, null]);
});

test('what is logged right before the exit is written', async () => {
  const program = await startLogging(5, `log.info('the last line'); process.exit();`);
  let last = '';
  for await (const line of linesOf(program)) last = line;
  expect(last).toContain('the last line');
});

test('a thread logs to where its program does', async () => {
  await buildService();
  const logger = pathToFileURL(join(BUILD, 'core', 'process', 'logger.js'));
  const thread = `import('${logger}').then(({ createLogger }) => {
    for (const to of ['stdout', 'stderr']) createLogger({ LOG_LEVEL: 'info' }, 'test', { to }).info(to);
  })`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '-e',
    `new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true })`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'test', msg: 'stdout' });
  expect(JSON.parse(stderr)).toMatchObject({ name: 'test', msg: 'stderr' });
});

test('counts what can not be written', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const before = droppedLines();
  const destination = openLogDestination(full.fd, () => undefined);
  destination.write('one\n');
  destination.write('two\n');
  await expect.poll(droppedLines).toBe(before + 2);
});
