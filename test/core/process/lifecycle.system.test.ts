import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { BUILD, buildService } from '../../support/service.js';

test('a program whose parent goes away while it is loaded ends', { timeout: 120_000 }, async () => {
  await buildService();
  const folder = await mkdtemp(join(tmpdir(), 'lifecycle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = join(folder, 'program.mjs');
  const lifecycle = pathToFileURL(join(BUILD, 'core', 'process', 'lifecycle.js'));
  await writeFile(
    script,
    `const gone = new Promise((resolve) => process.once('disconnect', resolve));
     process.send('loading');
     await gone;
     const { runProgram } = await import('${lifecycle}');
     const work = setInterval(() => {}, 1_000);
     await runProgram(async () => ({ close: async () => clearInterval(work) }));`,
  );
  const program = fork(script);
  onTestFinished(() => void program.kill('SIGKILL'));
  await once(program, 'message');
  program.disconnect();
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test.each([
  { extraCloseMs: 60_000, code: 0 },
  { extraCloseMs: 0, code: 1 },
])(
  'a program that takes $extraCloseMs ms longer is left so long to close',
  { timeout: 120_000 },
  async ({ extraCloseMs, code }) => {
    await buildService();
    const folder = await mkdtemp(join(tmpdir(), 'lifecycle-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = join(folder, 'program.mjs');
    const lifecycle = pathToFileURL(join(BUILD, 'core', 'process', 'lifecycle.js'));
    await writeFile(
      script,
      `import { setTimeout } from 'node:timers/promises';
     import { runProgram } from '${lifecycle}';
     const close = ({ drains }) => setTimeout(drains ? 1_000 : 60_000);
     await runProgram(async () => ({ extraCloseMs: ${extraCloseMs}, close }), { closeLimitMs: 50 });`,
    );
    const program = fork(script);
    onTestFinished(() => void program.kill('SIGKILL'));
    await once(program, 'message');
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([code, null]);
  },
);
