import * as z from 'zod';
import { REVISION_CAUSES, type Revision } from '../../core/database/revisions.js';
import {
  currencyList,
  instantParameter,
  observationDates,
  pageLimit,
  providerList,
  startParameter,
} from '../parameters/currency-parameters.js';
import { parsedText } from '../parameters/utility-parameters.js';

type Place = Pick<Revision, 'id' | 'replacedAt'>;

export function writeCursor({ id, replacedAt }: Place): string {
  return Buffer.from(`${replacedAt.getTime()} ${id}`).toString('base64url');
}

/** Undefined for text that `writeCursor` did not create. */
function readCursor(text: string): Place | undefined {
  const [, instant, id] = /^(\d{1,15}) (\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return instant !== undefined && id !== undefined
    ? { id, replacedAt: new Date(Number(instant)) }
    : undefined;
}

export const revisionsQuery = z.object({
  since: startParameter.optional().meta({
    description: 'Only revisions made at this instant or later',
    examples: ['2026-03-01T00:00:00Z'],
  }),
  until: instantParameter.optional().meta({
    description: 'Only revisions made at this instant or earlier',
    examples: ['2026-03-31T23:59:59Z'],
  }),
  providers: providerList.optional().meta({
    description: 'Only rates of these sources: keys separated by commas',
    examples: ['ECB'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only rates of these currencies, on either side of the pair: codes separated by commas',
    examples: ['USD,GBP'],
  }),
  ...observationDates,
  limit: pageLimit,
  cursor: parsedText(readCursor, () => 'must be the x-next-cursor of an earlier response')
    .optional()
    .meta({
      type: 'string',
      description: '`x-next-cursor` of the previous response',
      examples: [writeCursor({ id: '42', replacedAt: new Date('2026-03-09T15:00:00Z') })],
    }),
});

const side = z.number().nullable().optional().meta({
  description:
    'Only in JSON, and only if a side has changed: the new or the replaced side; null if there is none',
});

export const revisionSchema = z
  .object({
    provider: z.string(),
    date: z.iso.date(),
    base: z.string(),
    quote: z.string(),
    rate: z.number().meta({ description: 'The new rate' }),
    was: z.number().meta({ description: 'The replaced rate' }),
    recorded_at: z.iso.datetime().meta({ description: 'When the replaced rate was recorded' }),
    replaced_at: z.iso.datetime(),
    cause: z.enum(REVISION_CAUSES).nullable().meta({
      description:
        'source: the source corrected it; reading: Almanac now reads the response better; null: not recorded, as for an import',
    }),
    buy: side,
    sell: side,
    buy_was: side,
    sell_was: side,
  })
  .meta({ id: 'Revision' });

export type PublicRevision = z.output<typeof revisionSchema>;

export const REVISION_COLUMNS = [
  'provider',
  'date',
  'base',
  'quote',
  'rate',
  'was',
  'recorded_at',
  'replaced_at',
  'cause',
] as const satisfies readonly (keyof PublicRevision)[];

/** A correction by the European Central Bank on the evening of the day. A test checks it against the schema. */
export const exampleRevisions: PublicRevision[] = [
  {
    provider: 'ECB',
    date: '2026-03-02',
    base: 'EUR',
    quote: 'USD',
    rate: 1.1698,
    was: 1.1689,
    recorded_at: '2026-03-02T15:04:11.520Z',
    replaced_at: '2026-03-02T17:35:02.114Z',
    cause: 'source',
  },
];
