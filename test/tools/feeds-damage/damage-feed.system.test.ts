import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { damageFeed, isDefect } from '../../../tools/feeds-damage/damage-feed.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { loadFeed } from '../../../worker/feeds/registry.js';

const recordings = join(projectFolder, '..', 'shared', 'feeds');
const log = pino({ level: 'silent' });

describe.skipIf(!existsSync(recordings))('damaged recordings', () => {
  it.each(['ECB', 'BCT', 'CNB', 'NBU', 'HKMA'])(
    'never give %s other or fewer rates without a word',
    async (key) => {
      const cells = await damageFeed(await loadFeed(key), recordings, log);
      expect(cells.length).toBeGreaterThan(20);
      expect(cells.filter(isDefect)).toEqual([]);
    },
    300_000,
  );

  it('show a feed that takes columns by their position', async () => {
    let columns: string[] = [];
    const byPosition: Feed = {
      key: 'ECB',
      backfillDays: 365,
      async *read({ from, to }, { http }) {
        const query = { format: 'csvdata', startPeriod: from, endPeriod: to };
        const response = await http.get('https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A', {
          query,
        });
        const [heading = '', ...lines] = response.text().trim().split('\n');
        // Of the first response that it sees, which is not damaged.
        if (columns.length === 0) columns = heading.split(',');
        const at = (name: string) => columns.indexOf(name);
        yield ratesFrom(response, 'any day', lines, (line) => {
          const cells = line.split(',');
          const rate = Number(cells[at('OBS_VALUE')]);
          return { date: cells[at('TIME_PERIOD')] ?? '', base: 'EUR', quote: cells[at('CURRENCY')], rate };
        });
      },
    };
    const cells = await damageFeed(byPosition, recordings, log);
    expect(cells.filter(isDefect).length).toBeGreaterThan(0);
  }, 300_000);
});
