import { z } from 'zod';
import { readDataFile } from '../process/project-files.js';
import { currencyCode } from './currencies.js';

const entry = z.strictObject({
  iso_code: currencyCode,
  minor_units: z.int().min(0).nullable(),
});

const USUAL = 2;

/** The currencies whose amounts do not have two decimals. */
const unusual: ReadonlyMap<string, number | null> = new Map(
  readDataFile('minor_units.json', z.array(entry)).map(({ iso_code, minor_units }) => [
    iso_code,
    minor_units,
  ]),
);

/** From ISO 4217, tables A.1 and A.3. Undefined for precious metals and units of account, which are not rounded. */
export function minorUnitsOf(code: string): number | undefined {
  const units = unusual.get(code);
  return units === null ? undefined : (units ?? USUAL);
}
