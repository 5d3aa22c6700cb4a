import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRun } from '../../core/database/ingest-runs.js';
import { type OperatedApi, operatedApi, TOKEN } from '../src/operations/support.js';
import { redisMissing } from '../support/redis.js';
import { curlMissing, documented, examplesOf, run } from './support.js';

/** Fields that are others each time, and of which only the kind can be compared. */
const CHANGING = new Set(['at', 'client', 'to', 'next', 'id', 'job', 'watch']);

describe.skipIf(curlMissing ?? redisMissing)('the examples of docs/operations.md', () => {
  const examples = examplesOf('docs/operations.md');
  let operated: OperatedApi;
  beforeAll(async () => {
    const variables = { RATE_LIMITS: 'relay=60', OPEN_METEO_GEOCODING_URL: 'http://127.0.0.1:9' };
    operated = await operatedApi(true, variables);
  });
  afterAll(() => operated?.close());

  /** The job that one example makes. The next ones ask for it, and for its run. */
  const known = { job: '' };

  it('are what the server answers, one after the other', async () => {
    expect(examples).toHaveLength(7);
    for (const { command, response = '' } of examples) {
      const asked = command.replace(/ingest-ECB-operator-2026-03-01-now-\w+/, known.job);
      if (asked.includes('/runs')) {
        const window = { from: '2026-03-01', to: '2026-03-20' };
        const job = { reading: 1, provider: 'ECB', jobId: known.job, reason: 'operator' } as const;
        await startRun(operated.database, { ...job, ...window });
      }
      if (asked.includes('/audit')) {
        await operated.admin('/admin/providers/ECB/ingest', 'POST', { from: '2026-03-01' });
      }
      const real = await run(asked, operated.api.url, { TOKEN });
      compareHeads(response, real);
      if (!/^[[{]/m.test(response)) continue;
      const [shown, found] = [documented(response), documented(real)];
      expectAsShown(found, shown, command);
      const made = JSON.stringify(found).match(/ingest-ECB-operator-2026-03-01-now-\w+/);
      if (made) known.job = made[0];
    }
  });

  /** The status line and the headers that the documentation shows, whatever their order. */
  function compareHeads(shown: string, real: string): void {
    for (const head of shown.split('\n').filter((line) => /^(HTTP\/|[a-z-]+: )/.test(line))) {
      const pattern = head
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/now-\w+/, 'now-\\w+')
        .replace(/\bt=\d+/, 't=\\d+');
      expect(real).toMatch(new RegExp(`^${pattern}\r?$`, 'mi'));
    }
  }

  function expectAsShown(found: unknown, shown: unknown, where: string): void {
    if (Array.isArray(shown)) {
      shown.forEach((one, index) => {
        expectAsShown((found as unknown[])[index], one, `${where} ${index}`);
      });
    } else if (typeof shown === 'object' && shown !== null) {
      for (const [name, value] of Object.entries(shown)) {
        const real = (found as Record<string, unknown>)[name];
        expect(found, where).toHaveProperty(name);
        if (CHANGING.has(name) && typeof value !== 'object') {
          expect(real === null || typeof real === typeof value, `${where}: ${name} is ${real}`).toBe(true);
        } else if (!(name in UNREACHED)) expectAsShown(real, value, `${where}: ${name}`);
      }
    } else expect(found, where).toEqual(shown);
  }
});

/** Shown while a worker is at it, which none is here. */
const UNREACHED = { state: 'active', progress: { step: 'reading' } };
