import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { startApi } from '../../support/api.js';
import { startPostgres } from '../../support/postgres-server.js';
import { someRates, storeRows } from '../../support/rates.js';
import { readiness, scrape } from './support.js';

it('an API whose PostgreSQL stops serves the rates that it holds, and metrics of its own', async () => {
  const server = await startPostgres();
  const database = openDatabase(server.url);
  await applyMigrations(database);
  await storeRows(database, someRates('2026-03-18'));
  const { url, close } = await startApi(database);
  onTestFinished(async () => {
    await close();
    await database.close().catch(() => undefined);
  });
  const soon = { interval: 500 };
  await expect.poll(() => scrape(url), soon).toHaveProperty('almanac_data_version');
  await server.stop();
  await expect.poll(() => scrape(url), soon).not.toHaveProperty('almanac_data_version');
  const started = performance.now();
  const series = await scrape(url);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(Object.keys(series).filter((name) => name.startsWith('almanac_provider'))).toEqual([]);
  expect(series['almanac_dependency_up{dependency="database"}']).toBe(0);
  expect(series.almanac_snapshot_version).toBeGreaterThan(0);
  const degraded = { code: 200, status: 'degraded', snapshot: 'up', database: 'down', raw_rows: 'down' };
  expect(await readiness(url)).toMatchObject(degraded);
  for (const path of ['/v2/rates?date=2026-03-18', '/health/live'])
    expect((await fetch(url + path)).status).toBe(200);
});
