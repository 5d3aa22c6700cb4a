import * as z from 'zod';
import type { QueryReader } from '../../http/route.js';
import { instantParameter, oneOf } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { parsedText, strictQuery } from '../../parameters/query.js';
import { DIMENSIONS } from './dataflow.js';
import { daysOfPeriod, daysWithin } from './periods.js';

// The parameters of both versions of the REST API, that of SDMX 2.1 and that of SDMX 3.0. Each route accepts the names of both.

const instant = (description: string) =>
  z
    .string()
    // A plus that is not written as %2B arrives as a space.
    .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+').replace(/(?<=T[\d:.]+)$/, 'Z'))
    .pipe(instantParameter)
    .optional()
    .meta({ format: 'date-time', description, examples: ['2026-03-05T16:00:00Z'] });

const count = (which: string) =>
  z
    .string()
    .refine((text) => /^[1-9]\d{0,5}$/.test(text), { error: 'must be a whole number from 1 to 999999' })
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      description: `Return only this number of observations of each series, the ${which} ones`,
      examples: [1],
    });

const period = (description: string) =>
  parsedText(
    daysOfPeriod,
    (text) =>
      `must be a period such as 2026-03-17, 2026-W12, 2026-03, 2026-Q1, 2026-S1 or 2026: ${excerpt(text)} is none`,
  )
    .optional()
    .meta({ description, examples: ['2026-03'] });

const choice = <const T extends readonly [string, ...string[]]>(
  words: T,
  absent: T[number],
  description: string,
) => oneOf(words).default(absent).meta({ description });

const PERIODS = {
  startPeriod: period('First period. A row belongs to the range if the first day of its period does'),
  endPeriod: period('Last period; included'),
  'c[TIME_PERIOD]': parsedText(
    daysWithin,
    (text) => `must be periods such as ge:2026-03+le:2026-04, not ${excerpt(text)}`,
  )
    .optional()
    .meta({
      description: 'A period, or the first one after `ge:` and the last after `le:`',
      examples: ['ge:2026-03+le:2026-04'],
    }),
};
const OF_DATA = {
  firstNObservations: count('first'),
  lastNObservations: count('last'),
  updatedAfter: instant(
    'Return only observations added or changed since this instant; UTC if it has no offset',
  ),
  asOf: instant('Return rates as known at this instant; UTC if it has no offset'),
  includeHistory: choice(
    ['true', 'false'],
    'false',
    'true: every figure that a single provider published, with the time of its validity',
  ),
  dimensionAtObservation: z
    .enum(['TIME_PERIOD', 'AllDimensions', ...DIMENSIONS.map(({ id }) => id)])
    .default('TIME_PERIOD')
    .meta({
      description: 'TIME_PERIOD, or for CSV also AllDimensions; 501 for the others',
    }),
  format: z
    .string()
    .optional()
    .meta({
      description: 'csvdata, jsondata or genericdata; takes precedence over `Accept`',
      examples: ['csvdata'],
    }),
};
const REFERENCES = {
  references: z
    .string()
    .default('none')
    .meta({
      description:
        'none: only the requested structure. Any other value of the standard, such as children, descendants or all: all structures.',
      examples: ['all'],
    }),
};

export type DataParameters = ReturnType<typeof dataParameters.read>;

export const dataParameters = syntaxQuery(
  z.object({
    ...PERIODS,
    ...OF_DATA,
    detail: choice(['full', 'dataonly', 'serieskeysonly', 'nodata'], 'full', 'What each series contains'),
    attributes: choice(['dsd', 'none'], 'dsd', 'none: no attributes'),
    measures: choice(['all', 'none'], 'all', 'none: no observations'),
  }),
);

export const availabilityParameters = syntaxQuery(
  z.object({ ...PERIODS, ...REFERENCES, mode: choice(['exact'], 'exact', 'The codes that the key finds') }),
);

export const structureParameters = syntaxQuery(
  z.object({ ...REFERENCES, detail: choice(['full'], 'full', 'Whole structures') }),
);

/** A strict reader with errors of SDMX's status. */
function syntaxQuery<T extends z.ZodObject>(schema: T): QueryReader<z.output<T>> {
  return strictQuery(schema, { status: 400 });
}
