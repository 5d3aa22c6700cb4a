import * as z from 'zod';
import { REVISION_CAUSES, type ReadRevisions, type Revision } from '../../core/database/revisions.js';
import { describeList, encodeRecords } from '../formats/record-formats.js';
import { recordRoutes } from '../formats/record-routes.js';
import { parameterError } from '../http/errors.js';
import { CONTENT_TYPES, type Content, entityTag, type Format } from '../http/reply.js';
import type { Route } from '../http/route.js';
import { exampleOf } from '../openapi/responses.js';
import { instantParameter, recordFilters, startParameter } from '../parameters/currency-parameters.js';
import { parsedText, strictQuery } from '../parameters/query.js';

type Place = Pick<Revision, 'id' | 'replacedAt'>;

function writeCursor({ id, replacedAt }: Place): string {
  return Buffer.from(`${replacedAt.getTime()} ${id}`).toString('base64url');
}

/** Undefined for text that `writeCursor` did not create. */
function readCursor(text: string): Place | undefined {
  const [, instant, id] = /^(\d{1,15}) (\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return instant !== undefined && id !== undefined
    ? { id, replacedAt: new Date(Number(instant)) }
    : undefined;
}

const revisionsQuery = z.object({
  since: startParameter.optional().meta({
    description: 'Only revisions made at this instant or later',
    examples: ['2026-03-01T00:00:00Z'],
  }),
  until: instantParameter.optional().meta({
    description: 'Only revisions made at this instant or earlier',
    examples: ['2026-03-31T23:59:59Z'],
  }),
  ...recordFilters,
  cursor: parsedText(readCursor, () => 'must be the x-next-cursor of an earlier response')
    .optional()
    .meta({
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
    provider: z.string().meta({ example: 'ECB' }),
    date: z.iso.date().meta({ example: '2026-03-02' }),
    base: z.string().meta({ example: 'EUR' }),
    quote: z.string().meta({ example: 'USD' }),
    rate: z.number().meta({ description: 'The new rate', example: 1.1698 }),
    was: z.number().meta({ description: 'The replaced rate', example: 1.1689 }),
    recorded_at: z.iso
      .datetime()
      .meta({ description: 'When the replaced rate was recorded', example: '2026-03-02T15:04:11.520Z' }),
    replaced_at: z.iso.datetime().meta({ example: '2026-03-02T17:35:02.114Z' }),
    cause: z.enum(REVISION_CAUSES).nullable().meta({
      example: 'source',
      description:
        'source: the source corrected it; reading: Almanac now reads the response better; null: not recorded, as for an import',
    }),
    buy: side,
    sell: side,
    buy_was: side,
    sell_was: side,
  })
  .meta({ id: 'Revision' });

type PublicRevision = z.output<typeof revisionSchema>;

/** The columns of CSV. */
const REVISION_COLUMNS = revisionSchema
  .omit({ buy: true, sell: true, buy_was: true, sell_was: true })
  .keyof().options;

export function revisionsRoutes(): Route[] {
  return recordRoutes({
    path: '/v2/revisions',
    maker: 'revisions',
    query: strictQuery(revisionsQuery, { joined: ['providers', 'quotes'] }),
    filterOf({ cursor, ...filter }) {
      const { since, until } = filter;
      if (since !== undefined && until !== undefined && since > until)
        throw parameterError(422, 'since', 'since is after until: swap them');
      return { ...filter, after: cursor };
    },
    recordBytes: 2_048,
    description: {
      summary: 'Changes of recorded rates, and their causes',
      description: [
        'Rates that changed after they were recorded, because the source corrected them or because Almanac now reads the source',
        'better: the old rate, the new rate and the time of the change. Newest first. To read the next page, send the',
        '`x-next-cursor` of the response as `cursor`.',
      ].join('\n'),
      tags: ['Corrections'],
      responses: {
        200: {
          description: 'Revisions',
          headers: {
            'x-next-cursor': {
              description: 'Cursor of the next page; absent on the last one',
              schema: { type: 'string' },
            },
          },
          content: describeList({
            schema: revisionSchema,
            example: [exampleOf(revisionSchema)],
            columns: REVISION_COLUMNS,
          }),
        },
      },
    },
  });
}

interface RevisionsInput {
  filter: Parameters<ReadRevisions>[0];
  limit: number;
  format: Format;
}

/** Throws an HttpError 503 if the database is unreachable. */
export async function makeRevisions(
  { filter, limit, format }: RevisionsInput,
  { readRevisions }: { readRevisions: ReadRevisions },
): Promise<Content> {
  const found = await readRevisions(filter, limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const headers = found.length > limit && last ? ['x-next-cursor', writeCursor(last)] : [];
  const body = encodeRecords(shown.map(presented), REVISION_COLUMNS, format);
  const tag = entityTag('revisions', format, body);
  return { type: CONTENT_TYPES[format], body: Buffer.from(body), headers, tag };
}

function presented(revision: Revision): PublicRevision {
  const { provider, date, base, quote, rate, was, sides, recordedAt, replacedAt, cause } = revision;
  const [recorded_at, replaced_at] = [recordedAt.toISOString(), replacedAt.toISOString()];
  const isOther = sides.buy !== sides.buy_was || sides.sell !== sides.sell_was;
  const replaced = { provider, date, base, quote, rate, was, recorded_at, replaced_at, cause };
  return isOther ? { ...replaced, ...sides } : replaced;
}
