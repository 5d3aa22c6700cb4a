import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { answer, httpStub } from '../../support/http-stub.js';
import { cli, failed } from './support.js';

/** Checks a program whose health check answers with this status. */
async function check(status: number, body: string, ...words: string[]) {
  const program = await httpStub({ '/health/ready': answer(body, status) });
  onTestFinished(() => program.close());
  const { port } = new URL(program.url);
  const variables = words.length > 0 ? { PORT: '9', ADMIN_PORT: port } : { PORT: port, ADMIN_PORT: '9' };
  return cli(['healthcheck', ...words], { variables });
}

it.each([[[]], [['--worker']]])('a program that is ready passes: %j', async (words) => {
  expect(await check(200, '{}', ...words)).toEqual({ code: 0, stdout: '', stderr: '' });
  const refused = await check(503, '{\n"status":"starting"}', ...words);
  expect(refused).toEqual(failed(1, /^almanac: http:\S+: 503 \{ "status":"starting"\}\n$/));
});

it('one that does not listen fails, and so does a worker without a port', async () => {
  const PORT = String(await freePort());
  const none = `/health/ready: cannot connect to 127.0.0.1:${PORT} (ECONNREFUSED)\n`;
  expect(await cli(['healthcheck'], { variables: { PORT } })).toEqual(failed(1, none));
  const portless = await cli(['healthcheck', '--worker']);
  expect(portless).toEqual(failed(1, 'almanac: a worker has no health check unless ADMIN_PORT is set\n'));
});
