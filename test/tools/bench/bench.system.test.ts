import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILD, buildService } from '../../support/service.js';

const TINY_LIMIT_MS = 400_000;

describe('the measurement', () => {
  beforeAll(buildService);

  it(
    'measures everything once on little data',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'almanac-bench-test-'));
      try {
        const json = join(folder, 'bench.json');
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [join(BUILD, 'tools', 'main.js'), 'bench', '--tiny', '--json', json],
          { timeout: TINY_LIMIT_MS },
        );
        const rows: { what: string; measured: string; ok?: boolean }[] = JSON.parse(
          await readFile(json, 'utf8'),
        );
        const named = (part: string) => rows.filter(({ what }) => what.includes(part));
        for (const part of [
          'hot:',
          'cold:',
          '/oxr/',
          'coding:',
          'expand=',
          'providers=ECB',
          'page /',
          'one request',
        ]) {
          expect(named(part), part).not.toEqual([]);
        }
        for (const part of [
          'import',
          'whole blend',
          'new day',
          'leaves',
          'slow reader',
          'until ready',
          'growth:',
        ]) {
          expect(named(part), part).not.toEqual([]);
        }
        for (const { measured } of rows) expect(measured).not.toMatch(/NaN|Infinity|undefined/);
        expect(stdout.trim().split('\n')).toHaveLength(rows.length + 2);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    TINY_LIMIT_MS,
  );
});
