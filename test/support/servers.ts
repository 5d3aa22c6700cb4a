import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../core/database/database.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { projectFolder } from '../../core/process/project-files.js';
import { buildAssets } from '../../src/pages/build.mjs';
import { startPostgres, type TestServer } from './postgres-server.js';
import { startRedis } from './redis-server.js';
import { chooseServerSource } from './server-source.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the migrated database that tests clone. */
    templateUrl: string;
    /** URL of the Redis that tests share, each with a logical database of its own. */
    redisUrl: string | undefined;
    /** Folder of the run for built programs, within the project, so that they find its packages and data. */
    buildFolder: string;
  }
}

/** Starts what the tests of this run need, once, and stops it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildAssets();
  await chooseServerSource();
  const redis = await startRedis();
  const postgres = await startMigrated().catch(async (error: unknown) => {
    await redis?.stop();
    throw error;
  });
  project.provide('templateUrl', postgres.url);
  project.provide('redisUrl', redis?.url);
  const dist = join(projectFolder, 'dist');
  await mkdir(dist, { recursive: true });
  const buildFolder = await mkdtemp(join(dist, 'test-'));
  project.provide('buildFolder', buildFolder);
  if (!redis)
    process.stderr.write('No Redis: neither Docker nor redis-server is here. Its tests are skipped.\n');
  const stop = async () => {
    await Promise.all([postgres.stop(), redis?.stop(), rm(buildFolder, { recursive: true, force: true })]);
  };
  // Vitest ends at once on these, without its teardown; PostgreSQL would outlive it.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  return stop;
}

async function startMigrated(): Promise<TestServer> {
  const server = await startPostgres();
  const template = openDatabase(server.url);
  try {
    await applyMigrations(template);
  } finally {
    await template.close();
  }
  return server;
}
