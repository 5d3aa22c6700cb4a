import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordOperatorAct } from '../../../core/database/operators.js';
import { readTask } from '../../../core/database/worker-tasks.js';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import { startPublishLoop } from '../../../worker/jobs/publishing.js';
import { storeRows } from '../../support/rates.js';
import { openLog } from '../ingest/support.js';
import { groundOfRates, KEY, START, verified } from '../publish/support.js';

const soon = { interval: 50 };

const g = groundOfRates('2026-03-16');
let hours: number;
let written: ReturnType<typeof openLog>;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  [hours, written] = [0, openLog()];
});
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

async function start(more: Record<string, string> = {}): Promise<void> {
  const clock = () => new Date(START + hours * 3_600_000);
  const variables = { PUBLISH_DIR: g.folder, PUBLISH_KEY: KEY.text, ...more };
  const { log } = written;
  open.push(
    await startPublishLoop({ config: readConfig(variables), database: g.database, clock, log, pollMs: 20 }),
  );
}

const sizeIs = (size: number) =>
  vi.waitFor(async () => expect((await verified(g.folder, hours)).checkpoint.size).toBe(size), soon);

it('publishes what is new, at most once in ten minutes, whichever worker does, and once a day anyway', async () => {
  await Promise.all([start(), start()]);
  await sizeIs(1);
  await storeRows(g.database, [{ provider: 'ECB', date: '2026-03-20', base: 'EUR', quote: 'CZK', rate: 25 }]);
  hours = 0.15;
  await delay(200);
  await sizeIs(1);
  hours = 0.2;
  await sizeIs(2);
  hours = 25;
  await sizeIs(3);
  // Changes are logged once the folder is pruned.
  const messages = ['published', 'published', 'signed again'];
  await vi.waitFor(() => expect(written.lines.map(({ msg }) => msg)).toEqual(messages), soon);
  const number = expect.any(Number);
  const line = { version: number, records: 2, files: number, bytes: number, ms: number, msg: 'published' };
  expect(written.lines).toContainEqual(expect.objectContaining(line));
}, 120_000);

const stateNow = () => readTask(g.database, 'publish');

it('publishes on request, once however many workers there are, and notes how it ended', async () => {
  await Promise.all([start(), start()]);
  await sizeIs(1);
  hours = 0.1;
  await storeRows(g.database, [{ provider: 'ECB', date: '2026-03-20', base: 'EUR', quote: 'CZK', rate: 26 }]);
  await recordOperatorAct(g.database, { operator: 'token', client: '::1', act: 'publish', details: {} });
  await sizeIs(2);
  const outcome = expect.objectContaining({ state: 'published', records: 2 });
  const succeededAt = new Date(START + 0.1 * 3_600_000);
  const ended = { requestedAt: null, startedAt: null, succeededAt, outcome, failedAt: null, error: null };
  await vi.waitFor(async () => expect(await stateNow()).toEqual(ended), soon);
  await delay(100);
  await sizeIs(2);
  expect(written.lines.filter(({ msg }) => msg === 'published')).toHaveLength(2);
}, 120_000);

it('signs again a day after the last record where nothing is new', async () => {
  await start();
  await sizeIs(1);
  hours = 23.9;
  await delay(100);
  await sizeIs(1);
  hours = 24;
  await sizeIs(2);
}, 120_000);

it('says why publishing failed, and tries again a minute later', async () => {
  await g.publish();
  await start({ PUBLISH_DIR: `${g.folder}-lost` });
  const reason = expect.stringMatching(/does not have the 1 records/);
  const line = expect.objectContaining({ reason, msg: 'publishing failed' });
  await vi.waitFor(() => expect(written.lines).toEqual([line]), soon);
  const failed = { failedAt: new Date(START), error: reason, succeededAt: null };
  await vi.waitFor(async () => expect(await stateNow()).toMatchObject(failed), soon);
  await delay(200);
  expect(written.lines).toHaveLength(1);
  hours = 1 / 60;
  await vi.waitFor(() => expect(written.lines).toEqual([line, line]), soon);
}, 120_000);

it('does not begin with a key or a provider that is none', async () => {
  await expect(start({ PUBLISH_KEY: 'none' })).rejects.toThrow(ConfigurationError);
  await expect(start({ PUBLISH_OMIT: 'NONE' })).rejects.toThrow(ConfigurationError);
});
