import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyPegs, type DollarRate } from '../../../../core/domain/blend/apply-pegs.js';
import { pegs } from '../../../../core/domain/pegs.js';
import { projectFolder } from '../../../../core/process/project-files.js';
import { blend } from './blending.js';
import { expectBlends, expectRates, type ReferenceBlend } from './reference.js';

interface Vector {
  asOf: string;
  rows: [provider: string, date: string, base: string, quote: string, rate: number][];
  blended: ReferenceBlend[];
  anchored: DollarRate[];
}

/** Rows that were made up, with what reference.ts makes of them; and, beside the project, real ones. */
const folders = [join(import.meta.dirname, 'vectors'), join(projectFolder, '..', 'shared', 'blend')];
const files = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => /vector-[^/]*\.json$/.test(file));

/** The pegs that the vectors know of, none of which had ended. */
const KNOWN = 'AED ANG BAM BHD BMD BND BTN CVE FKP GGP IMP JEP JOD MOP OMR QAR SAR SHP TMT XAF XOF'.split(
  ' ',
);
const ENDLESS = pegs
  .filter(({ quote }) => KNOWN.includes(quote))
  .map((peg) => ({ ...peg, until: undefined }));

it.each(files)('%s comes out to 1e-12', (file) => {
  const { asOf, rows, blended, anchored }: Vector = JSON.parse(readFileSync(file, 'utf8'));
  const blends = blend(
    rows.map(([provider, date, base, quote, rate]) => ({ provider, date, base, quote, rate })),
    asOf,
  );
  expectBlends(blends, blended);
  expectRates(applyPegs(blends, ENDLESS), anchored);
  expect(anchored.length).toBeGreaterThan(0);
});
