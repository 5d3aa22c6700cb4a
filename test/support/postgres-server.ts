import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { IMAGES, serverSource } from './server-source.js';

/** A server of the tests' own. */
export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

// Nothing of a test outlives it, so nothing has to reach the disk.
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '200',
};

/** PostgreSQL with one empty database: in a container or the embedded one, as the run's servers are. */
export async function startPostgres(): Promise<TestServer> {
  if (serverSource() === 'containers') return startContainer();
  const folder = await temporaryFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  const server = await startEmbeddedPostgres(folder, FAST).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await remove();
    },
  };
}

/** A new folder under the system's temporary one that PostgreSQL's user may enter. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-test-'));
  await chmod(folder, 0o755);
  return folder;
}

async function startContainer(): Promise<TestServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const flags = Object.entries(FAST).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Without a health check: the server is the first process of its container. It adopts what a check leaves behind when it
  // times out, and terminates all connections if that is killed.
  const container = await new GenericContainer(IMAGES.postgres)
    .withEnvironment({ POSTGRES_PASSWORD: 'almanac', POSTGRES_DB: 'template' })
    .withCommand(['postgres', ...flags])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  return {
    url: `postgres://postgres:almanac@${container.getHost()}:${container.getMappedPort(5432)}/template`,
    async stop() {
      await container.stop();
    },
  };
}
