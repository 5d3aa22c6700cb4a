import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { startApi } from '../../support/api.js';
import { testDatabase } from '../../support/postgres.js';
import { cli } from './support.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const missing = existsSync(RECORDINGS) ? '' : ` (there is no folder ${RECORDINGS})`;
const KEYS = [
  ...'BANGUAT BAZG BCCCD BCRP BCV BDL BFM BIS BM BOMU BOZ CBAR CBBH CBKKW CBO CBSSC CBTT CBVS'.split(' '),
  ...'CFETS HMRC INFOREURO JPC NBS PMA UST'.split(' '),
];
const now = '2026-09-26T12:00:00Z';

test.skipIf(missing)(
  `the recordings of the newest sources, twice${missing}`,
  { timeout: 300_000 },
  async () => {
    const database = await testDatabase();
    const variables = { DATABASE_URL: database.url, FEEDS_FROM: RECORDINGS };
    /** What `ingest KEY` prints: new, corrected, unchanged and dropped rows, and the outcome. */
    const ingest = async (key: string) => {
      const { stdout } = await cli(['ingest', key], { variables, now });
      const line = stdout.split('\n').find((one) => one.startsWith(`${key} `)) ?? '';
      const [, added, corrected, unchanged, , outcome] = line.split(/\s+/);
      return {
        key,
        added: Number(added),
        corrected: Number(corrected),
        unchanged: Number(unchanged),
        outcome,
      };
    };
    const fine = { corrected: 0, outcome: 'ok' };
    for (const key of KEYS) {
      const first = await ingest(key);
      expect(first).toEqual({ key, ...fine, added: expect.any(Number), unchanged: 0 });
      expect([key, first.added > 0]).toEqual([key, true]);
      expect(await ingest(key)).toEqual({ key, ...fine, added: 0, unchanged: first.added });
    }
    const api = await startApi(database, { clock: () => new Date(now) });
    // As published, in the recordings.
    for (const [providers, base, quotes, date, ...figure] of [
      ['HMRC', 'GBP', 'USD', '2026-09-15', 1.3554, '2026-09-01', '2026-09-30'],
      ['INFOREURO', 'EUR', 'USD', '2026-09-15', 1.1643, '2026-09-01', '2026-09-30'],
      ['BAZG', 'EUR', 'CHF', '2022-06-29', 1.02111, '2022-06-29', '2022-06-29'],
      ['UST', 'USD', 'BOB', '2026-07-14', 6.85, '2026-06-30', '2026-07-14'],
      ['UST', 'USD', 'BOB', '2026-07-15', 10.35, '2026-07-15', '2026-09-29'],
      ['JPC', 'KRW', 'JPY', '2002-01-12', 0.1003, '2002-01-06', '2002-01-12'],
      ['BIS', 'USD', 'JPY', '2025-02-27', 154.902338, '2025-01-31', '2025-02-27'],
    ] as const) {
      const query = new URLSearchParams({ providers, base, quotes, date });
      const response = await fetch(`${api.url}/v2/rates?${query}`);
      const rows = (await response.json()) as { rate: number; valid_from: string; valid_to: string }[];
      const given = rows.map(({ rate, valid_from, valid_to }) => [rate, valid_from, valid_to]);
      expect([providers, ...given]).toEqual([providers, figure]);
    }
    await api.close();
    await database.close();
  },
);
