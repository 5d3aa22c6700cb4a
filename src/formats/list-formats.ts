import * as z from 'zod';
import { encodeRecords, FORMATS, type Format, type Records } from './record-formats.js';

/** At the path in the accepted format, and with an extension for each format. */
export function inEachFormat<T>(path: string, routeAt: (path: string, chosen?: Format) => T): T[] {
  return [routeAt(path), ...FORMATS.map((format) => routeAt(`${path}.${format}`, format))];
}

interface DescribedList<Key extends string> {
  schema: z.ZodType;
  example: Records<Key>;
  csvExample?: Records<Key>;
  columns: readonly Key[];
}

/** The contents of the responses, by media type. */
export function describeList<Key extends string>({
  schema,
  example,
  csvExample = example,
  columns,
}: DescribedList<Key>): Record<string, { schema: z.ZodType; example: unknown }> {
  const text = z.string();
  return {
    'application/json': { schema: z.array(schema), example },
    'application/x-ndjson': { schema: text, example: encodeRecords(example, columns, 'ndjson') },
    'text/csv': { schema: text, example: encodeRecords(csvExample, columns, 'csv') },
  };
}
