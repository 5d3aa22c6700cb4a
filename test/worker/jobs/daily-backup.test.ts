import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTasks } from 'node-cron';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkBackup } from '../../../worker/backup/manifest.js';
import { startSchedule } from '../../../worker/jobs/schedule.js';
import { type Ground, ground } from './support.js';

let g: Ground;
let folder: string;
beforeEach(async () => {
  [g, folder] = await Promise.all([ground(false), mkdtemp(join(tmpdir(), 'almanac-daily-'))]);
});
afterEach(async () => {
  await g.close();
  await rm(folder, { recursive: true });
});

it('is made by the schedule, once for all workers', async () => {
  const backups = { folder, keep: 7 };
  const stops = [1, 2].map(() =>
    startSchedule({ ...g.plan, blend: g.queues.blend, runsKeepDays: 0, backups }),
  );
  const tasks = [...getTasks().values()].filter((task) => task.name === 'daily backup');
  expect(tasks).toHaveLength(2);
  await Promise.all(tasks.map((task) => task.execute()));
  await Promise.all(stops.map((stop) => stop()));
  const day = new Date().toISOString().slice(0, 10);
  expect((await checkBackup(join(folder, day))).tables.length).toBeGreaterThan(10);
});
