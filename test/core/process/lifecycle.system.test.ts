import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { BUILD, buildService } from '../../support/service.js';
import { newFolder } from '../support.js';

const LIFECYCLE = pathToFileURL(join(BUILD, 'core', 'process', 'lifecycle.js'));

beforeAll(buildService);

/** A program of these statements, once it has sent its first message. */
async function start(statements: string) {
  const script = join(await newFolder(), 'program.mjs');
  await writeFile(script, statements);
  const program = fork(script);
  onTestFinished(() => void program.kill('SIGKILL'));
  await once(program, 'message');
  return program;
}

it('a program whose parent goes away while it is loaded ends', async () => {
  const program = await start(
    `const gone = new Promise((resolve) => process.once('disconnect', resolve));
     process.send('loading');
     await gone;
     const { runProgram } = await import('${LIFECYCLE}');
     const work = setInterval(() => {}, 1_000);
     await runProgram(async () => ({ close: async () => clearInterval(work) }));`,
  );
  program.disconnect();
  expect(await once(program, 'exit')).toEqual([0, null]);
});

it.each([
  { extraCloseMs: 60_000, code: 0 },
  { extraCloseMs: 0, code: 1 },
])('a program that takes $extraCloseMs ms longer has that time to close', async ({ extraCloseMs, code }) => {
  const program = await start(
    `import { setTimeout } from 'node:timers/promises';
     import { runProgram } from '${LIFECYCLE}';
     const close = ({ drains }) => setTimeout(drains ? 1_000 : 60_000);
     await runProgram(async () => ({ extraCloseMs: ${extraCloseMs}, close }), { closeLimitMs: 50 });`,
  );
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([code, null]);
});
