import { z } from 'zod';
import { encodeRecords, FORMATS, type Format, type Records } from './record-formats.js';

/** At the path in the accepted format, and with an extension for each format. */
export function inEachFormat<T>(path: string, routeAt: (path: string, chosen?: Format) => T): T[] {
  return [routeAt(path), ...FORMATS.map((format) => routeAt(`${path}.${format}`, format))];
}

interface DescribedList<Key extends string> {
  summary: string;
  /** The content of one line, such as `a row`. */
  record: string;
  schema: z.ZodType;
  example: Records<Key>;
  csvExample?: Records<Key>;
  columns: readonly Key[];
}

export function describeList<Key extends string>(
  { summary, record, schema, example, csvExample = example, columns }: DescribedList<Key>,
  chosen: Format | undefined,
): { summary: string; content: Record<string, { schema: z.ZodType; example: unknown }> } {
  const summaries: Record<Format, string> = {
    json: 'The same as JSON',
    ndjson: `The same as NDJSON, ${record} a line`,
    csv: 'The same as CSV',
  };
  const text = z.string();
  const content = {
    json: { 'application/json': { schema: z.array(schema), example } },
    ndjson: {
      'application/x-ndjson': { schema: text, example: encodeRecords(example, columns, 'ndjson') },
    },
    csv: { 'text/csv': { schema: text, example: encodeRecords(csvExample, columns, 'csv') } },
  };
  if (chosen) return { summary: summaries[chosen], content: content[chosen] };
  return { summary, content: { ...content.json, ...content.ndjson, ...content.csv } };
}
