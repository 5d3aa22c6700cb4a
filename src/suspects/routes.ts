import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ReadSuspects } from '../../core/database/suspects.js';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { plainDecimal } from '../../core/domain/rounding.js';
import { describeSuspect, exampleSuspect, type PublicSuspect, suspectSchema } from '../catalogue/suspect.js';
import { describeList, encodePages } from '../formats/record-formats.js';
import { recordRoutes } from '../formats/record-routes.js';
import { type ByteStream, CONTENT_TYPES, type Content, entityTag, type Format } from '../http/reply.js';
import type { Route } from '../http/route.js';
import { listOf, recordFilters } from '../parameters/currency-parameters.js';
import { strictQuery } from '../parameters/query.js';

const suspectsQuery = z.object({
  ...recordFilters,
  status: listOf(SUSPECT_STATUSES)
    .optional()
    .meta({
      description: `Only those with these statuses, separated by commas: ${SUSPECT_STATUSES.join(', ')}`,
      examples: ['held,rejected'],
    }),
});

const SUSPECT_COLUMNS = suspectSchema.keyof().options;

/** In CSV the rates compared with are one cell: `KEY:DATE:RATE` separated by `|`. */
function* suspectRecords(suspects: Iterable<PublicSuspect>, format: Format) {
  for (const suspect of suspects) {
    yield format === 'csv' ? { ...suspect, against: cellOf(suspect) } : suspect;
  }
}

function cellOf({ against }: PublicSuspect): string {
  return against.map(({ provider, date, rate }) => [provider, date, plainDecimal(rate)].join(':')).join('|');
}

export function suspectsRoutes({ requireSuspects }: { requireSuspects(from?: CalendarDate): void }): Route[] {
  return recordRoutes({
    path: '/v2/suspects',
    maker: 'suspects',
    query: strictQuery(suspectsQuery, { joined: ['providers', 'quotes', 'status'] }),
    filterOf({ status, ...filter }) {
      requireSuspects(filter.from);
      return { ...filter, statuses: status };
    },
    recordBytes: 4_096,
    description: {
      summary: 'Suspect rates and their outcomes',
      description:
        'A rate is suspect if it is far from the last rate of its source and no other source agrees with it. It is returned, ' +
        'marked, in the rates of its provider, but held back from the blend until another source or its next rates confirm it, ' +
        'or an operator accepts it; all days from its first are then blended with it. Sorted by time of detection, newest first.',
      tags: ['Suspect rates'],
      responses: {
        200: {
          description: 'Suspect rates',
          content: describeList({
            schema: suspectSchema,
            example: [exampleSuspect],
            csvExample: suspectRecords([exampleSuspect], 'csv'),
            columns: SUSPECT_COLUMNS,
          }),
        },
      },
    },
  });
}

interface SuspectsInput {
  filter: Parameters<ReadSuspects>[0];
  limit: number;
  format: Format;
}

/** Throws an HttpError 503 if the database is unreachable. */
export async function makeSuspects(
  { filter, limit, format }: SuspectsInput,
  { readSuspects }: { readSuspects: ReadSuspects },
): Promise<Content> {
  async function* pages() {
    for await (const page of suspectPages(readSuspects, filter, limit))
      yield suspectRecords(page.map(describeSuspect), format);
  }
  const chunks = await encodePages(pages(), SUSPECT_COLUMNS, format);
  const digest = createHash('sha256');
  for (const chunk of chunks) digest.update(chunk);
  const body = chunks.length > MOST_CHUNKS ? streamOf(chunks) : Buffer.concat(chunks);
  return { type: CONTENT_TYPES[format], body, tag: entityTag('suspects', format, digest.digest('hex')) };
}

/** The evidence of ten thousand suspects takes a hundred megabytes as objects. A page of them is a chunk of about 128 KiB. */
const PAGE = 100;
/** A longer body is sent as a stream, and not held by the thread that sends it too. */
const MOST_CHUNKS = 10;

async function* streamOf(chunks: readonly Buffer[]): ByteStream {
  yield* chunks;
}

async function* suspectPages(read: ReadSuspects, filter: SuspectsInput['filter'], limit: number) {
  let before: string | undefined;
  for (let left = limit; left > 0; left -= PAGE) {
    const wanted = Math.min(left, PAGE);
    const page = await read({ ...filter, before }, wanted);
    yield page;
    if (page.length < wanted) return;
    before = page.at(-1)?.id;
  }
}
