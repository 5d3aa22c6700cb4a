import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPegs } from '../../../../core/domain/blend/apply-pegs.js';
import { blend, sourcesOf } from '../../../../core/domain/blend/blend.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { pegs } from '../../../../core/domain/pegs.js';
import { projectFolder } from '../../../../core/process/project-files.js';

interface Vector {
  asOf: string;
  rows: [provider: string, date: string, base: string, quote: string, rate: number][];
  blended: {
    date: string;
    quote: string;
    rate: number;
    providers: [key: string, date: string, rate: number, excluded: 0 | 1][];
  }[];
  anchored: { date: string; quote: string; rate: number }[];
}

/** Rows that were made up, with what test/core/domain/blend/reference.ts makes of them; and, beside the project, real ones. */
const folders = [join(import.meta.dirname, 'vectors'), join(projectFolder, '..', 'shared', 'blend')];
const files = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => /vector-[^/]*\.json$/.test(file));

/** The vectors know of no peg that has ended. */
const ENDLESS = pegs.map((peg) => ({ ...peg, until: undefined }));

describe('blend vectors', () => {
  it.each(files)('%s comes out to 1e-12', (file) => {
    const vector: Vector = JSON.parse(readFileSync(file, 'utf8'));
    const rows = vector.rows.map(([provider, date, base, quote, rate]): RawRow => {
      return { provider, date, base, quote, rate };
    });
    const blends = blend(rows, vector.asOf);
    expect(blends.map(({ quote, date }) => ({ quote, date }))).toEqual(
      vector.blended.map(({ quote, date }) => ({ quote, date })),
    );
    for (const [index, wanted] of vector.blended.entries()) {
      const found = blends[index];
      expectRate(found?.rate, wanted.rate, wanted.quote);
      const sources = found ? sourcesOf(found) : [];
      expect(sources.map(({ provider, date, excluded }) => [provider, date, Number(excluded)])).toEqual(
        wanted.providers.map(([key, date, , excluded]) => [key, date, excluded]),
      );
      for (const [place, [key, , rate]] of wanted.providers.entries()) {
        expectRate(sources[place]?.rate, rate, `${wanted.quote} of ${key}`);
      }
    }
    const anchored = applyPegs(blends, ENDLESS);
    expect(anchored.map(({ quote, date }) => ({ quote, date }))).toEqual(
      vector.anchored.map(({ quote, date }) => ({ quote, date })),
    );
    for (const [index, { quote, rate }] of vector.anchored.entries()) {
      expectRate(anchored[index]?.rate, rate, quote);
    }
  });
});

function expectRate(found: number | undefined, wanted: number, what: string): void {
  expect(Math.abs((found ?? Number.NaN) / wanted - 1), what).toBeLessThan(1e-12);
}
