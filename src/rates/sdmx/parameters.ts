import * as z from 'zod';
import { HttpError } from '../../http/errors.js';
import type { QueryReader } from '../../http/route.js';
import { instantParameter, oneOf } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { parsedText, strictQuery } from '../../parameters/query.js';
import { daysOfPeriod, daysWithin } from './periods.js';

// The parameters of version 1 of the REST API, which is that of SDMX 2.1, and of version 2, which is that of SDMX 3.0.

const instant = (description: string) =>
  z
    .string()
    // A plus that is not written as %2B arrives as a space.
    .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+').replace(/(?<=T[\d:.]+)$/, 'Z'))
    .pipe(instantParameter)
    .optional()
    .meta({ type: 'string', format: 'date-time', description, examples: ['2026-03-05T16:00:00Z'] });

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

/** A text with days. `fault` is the message for any other text. */
const days = <T>(
  parse: (text: string) => T | undefined,
  fault: (given: string) => string,
  meta: { description: string; examples: string[] },
) =>
  parsedText(parse, (text) => fault(excerpt(text)))
    .optional()
    .meta({ type: 'string', ...meta });

const period = (description: string) =>
  days(
    daysOfPeriod,
    (given) =>
      `must be a period such as 2026-03-17, 2026-W12, 2026-03, 2026-Q1, 2026-S1 or 2026: ${given} is none`,
    { description, examples: ['2026-03'] },
  );

const choice = <const T extends readonly [string, ...string[]]>(
  words: T,
  absent: T[number],
  description: string,
) =>
  oneOf(words)
    .default(absent)
    .meta({ type: 'string', enum: [...words], default: absent, description });

const PERIOD_1 = {
  startPeriod: period('First period. A row belongs to the range if the first day of its period does'),
  endPeriod: period('Last period; included'),
};
const PERIOD_2 = {
  'c[TIME_PERIOD]': days(
    daysWithin,
    (given) => `must be periods such as ge:2026-03+le:2026-04, not ${given}`,
    {
      description: 'Periods, each preceded by `eq`, `ge`, `gt`, `le` or `lt`',
      examples: ['ge:2026-03+le:2026-04'],
    },
  ),
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
    .string()
    .default('TIME_PERIOD')
    .meta({ description: 'TIME_PERIOD, or for CSV also AllDimensions', default: 'TIME_PERIOD' }),
  format: z
    .string()
    .optional()
    .meta({
      description: 'csvdata, jsondata or genericdata; takes precedence over `Accept`',
      examples: ['csvdata'],
    }),
};
const DETAIL = {
  detail: choice(['full', 'dataonly', 'serieskeysonly', 'nodata'], 'full', 'What each series contains'),
};
const PARTS = {
  attributes: choice(['dsd', 'none'], 'dsd', 'none: no attributes'),
  measures: choice(['all', 'none'], 'all', 'none: no observations'),
};
const REFERENCES = {
  references: z
    .string()
    .default('none')
    .meta({
      type: 'string',
      description:
        'none: only the requested structure. Any other value of the standard, such as children, descendants or all: all structures.',
      examples: ['all'],
    }),
};
const OF_AVAILABILITY = {
  ...REFERENCES,
  mode: choice(
    ['exact', 'available'],
    'exact',
    'exact: what the key finds. available: every value that could take its place.',
  ),
};

type Of<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

type Days = Partial<Of<typeof PERIOD_1> & Of<typeof PERIOD_2>>;

/** The days of a query of either version. */
function daysIn({ startPeriod, endPeriod, 'c[TIME_PERIOD]': days }: Days) {
  return { from: (startPeriod ?? days)?.from, to: (endPeriod ?? days)?.to };
}

export interface DataParameters extends Of<typeof OF_DATA>, ReturnType<typeof daysIn> {
  hasObservations: boolean;
  hasAttributes: boolean;
}

export const dataParameters = {
  version1: syntaxQuery(
    z.object({ ...PERIOD_1, ...OF_DATA, ...DETAIL }),
    ({ detail, ...rest }): DataParameters => ({
      ...rest,
      ...daysIn(rest),
      hasObservations: detail === 'full' || detail === 'dataonly',
      hasAttributes: detail === 'full' || detail === 'nodata',
    }),
  ),
  version2: syntaxQuery(
    z.object({ ...PERIOD_2, ...OF_DATA, ...PARTS }),
    ({ attributes, measures, ...rest }): DataParameters => ({
      ...rest,
      ...daysIn(rest),
      hasObservations: measures !== 'none',
      hasAttributes: attributes !== 'none',
    }),
  ),
};

export interface AvailabilityParameters extends Of<typeof OF_AVAILABILITY>, ReturnType<typeof daysIn> {}

const withDays = (query: Of<typeof OF_AVAILABILITY> & Days): AvailabilityParameters => ({
  ...query,
  ...daysIn(query),
});

export const availabilityParameters = {
  version1: syntaxQuery(z.object({ ...PERIOD_1, ...OF_AVAILABILITY }), withDays),
  version2: syntaxQuery(z.object({ ...PERIOD_2, ...OF_AVAILABILITY }), withDays),
};

export const structureParameters = syntaxQuery(
  z.object({
    ...REFERENCES,
    detail: choice(['full'], 'full', 'Whole structures'),
  }),
  (query) => query,
);

/** A strict reader with errors of SDMX's status, 400. `resolve` unifies the parameters of both REST versions. */
function syntaxQuery<T extends z.ZodObject, Query>(
  schema: T,
  resolve: (parameters: z.output<T>) => Query,
): QueryReader<Query> {
  const strict = strictQuery(schema);
  return {
    schema,
    read(target) {
      try {
        return resolve(strict.read(target));
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 422) throw error;
        throw new HttpError(400, error.message, { parameters: error.parameters });
      }
    },
  };
}
