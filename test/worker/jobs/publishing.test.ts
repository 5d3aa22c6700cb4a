import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import { keepPublishing } from '../../../worker/jobs/publishing.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { type Ground, ground, KEY, START, verified } from '../publish/support.js';

const soon = { timeout: 60_000, interval: 50 };
const HOUR_MS = 3_600_000;

let g: Ground;
let hours: number;
let logged: string;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  g = await ground(await databaseWith(someRates('2026-03-16')));
  [hours, logged] = [0, ''];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await g.close();
});

async function start(more: Record<string, string> = {}): Promise<void> {
  const publishing = await keepPublishing({
    config: readConfig({ PUBLISH_DIR: g.folder, PUBLISH_KEY: KEY.text, PUBLISH_EVERY: '3600', ...more }),
    database: g.database,
    clock: () => new Date(START + hours * HOUR_MS),
    log: pino(
      { level: 'info' },
      {
        write(line) {
          logged += line;
        },
      },
    ),
    lookMs: 20,
  });
  open.push(publishing);
}

const sizeAt = async (at: number) => (await verified(g.folder, at)).checkpoint.size;
const newRate = (rate: number) =>
  storeRows(g.database, [{ provider: 'ECB', date: '2026-03-20', base: 'EUR', quote: 'CZK', rate }]);

it('publishes what is new, at most once in PUBLISH_EVERY seconds, whichever worker does', async () => {
  await Promise.all([start(), start()]);
  await vi.waitFor(async () => expect(await sizeAt(0)).toBe(1), soon);
  await newRate(25);
  hours = 0.9;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await sizeAt(0.9)).toBe(1);
  hours = 1;
  await vi.waitFor(async () => expect(await sizeAt(1)).toBe(2), soon);
  // The second one is logged once its folder is tidied.
  await vi.waitFor(() => expect(logged.match(/"msg":"published"/g)).toHaveLength(2), soon);
  expect(logged).toMatch(/"version":\d+,"records":2,"files":\d+,"bytes":\d+,"ms":\d+,"msg":"published"/);
}, 120_000);

it('signs again after a day without news', async () => {
  await start();
  await vi.waitFor(async () => expect(await sizeAt(0)).toBe(1), soon);
  hours = 24;
  await vi.waitFor(async () => expect(await sizeAt(24)).toBe(2), soon);
}, 120_000);

it('says why nothing was published, and goes on when that is over', async () => {
  await g.publish();
  const lost = `${g.folder}-lost`;
  await start({ PUBLISH_DIR: lost });
  await vi.waitFor(
    () => expect(logged).toMatch(/does not have the 1 records.*"msg":"nothing was published"/),
    soon,
  );
}, 120_000);

it('does not begin with a key or a provider that is none', async () => {
  await expect(start({ PUBLISH_KEY: 'none' })).rejects.toThrow(ConfigurationError);
  await expect(start({ PUBLISH_OMIT: 'NONE' })).rejects.toThrow(ConfigurationError);
});
