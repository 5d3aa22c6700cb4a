import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answer, type HttpStub, httpStub } from './http-stub.js';
import { chooseServerSource, serverSource } from './server-source.js';

let engine: HttpStub;
let said: string;

/** A Docker engine that has no image and reaches no registry. The client keeps the one that it has found first. */
beforeAll(async () => {
  engine = await httpStub({
    '/info': answer({
      OSType: 'linux',
      ServerVersion: '28.0.0',
      OperatingSystem: 'Linux',
      Architecture: 'x86_64',
    }),
    'POST /images/create': answer({ message: 'dial tcp: lookup registry-1.docker.io: no such host' }, 500),
    '*': answer({ message: 'No such image' }, 404),
  });
});
afterAll(() => engine?.close());

beforeEach(() => {
  engine.requests.length = 0;
  vi.stubEnv('DOCKER_HOST', engine.url.replace('http:', 'tcp:'));
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('where Docker responds and images can not be had, servers of this machine are used, and it is said', async () => {
  vi.stubEnv('TEST_SERVERS', '');
  await chooseServerSource();
  expect(serverSource()).toBe('processes');
  expect(said).toMatch(/^No containers \(.*no such host.*\): tests use servers on this machine instead\.$/m);
  expect(engine.requests.some(({ path }) => path.startsWith('/images/'))).toBe(true);
});

test('a run that is to use containers fails there', async () => {
  vi.stubEnv('TEST_SERVERS', 'containers');
  await expect(chooseServerSource()).rejects.toThrow('no containers: ');
});

test('a run that is to use servers of this machine does not look for Docker', async () => {
  vi.stubEnv('TEST_SERVERS', 'processes');
  await chooseServerSource();
  expect([serverSource(), engine.requests]).toEqual(['processes', []]);
});

test('a choice that is none is refused', async () => {
  vi.stubEnv('TEST_SERVERS', 'both');
  await expect(chooseServerSource()).rejects.toThrow(
    'TEST_SERVERS is both: it must be containers or processes',
  );
});
