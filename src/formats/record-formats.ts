import * as z from 'zod';
import { plainDecimal } from '../../core/domain/rounding.js';
import { FORMATS, type Format } from '../http/reply.js';

/** Empty if absent, and quoted if needed (RFC 4180). */
export function csvCell(value: unknown): string {
  if (typeof value === 'number') return plainDecimal(value);
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join()}\n`;
}

/** Encodes one record. In CSV, a receipt is a cell of JSON, and codes alone identify minor units and ended currencies. */
export function encodeRecord(
  record: { receipt?: object; minor_units?: unknown; fixed?: unknown },
  format: Format,
  header = true,
): Buffer {
  if (format !== 'csv') return Buffer.from(JSON.stringify(record) + (format === 'ndjson' ? '\n' : ''));
  const { minor_units: _units, fixed: _fixed, receipt, ...cells } = record;
  const shown = { ...cells, ...(receipt && { receipt: JSON.stringify(receipt) }) };
  return Buffer.from((header ? csvLine(Object.keys(shown)) : '') + csvLine(Object.values(shown)));
}

/** In CSV, an absent value is an empty cell. */
export type Records<Key extends string> = Iterable<Readonly<Partial<Record<Key, unknown>>>>;

export function encodeRecords<Key extends string>(
  records: Records<Key>,
  columns: readonly Key[],
  format: Format,
): string {
  const { head, between, tail } = framesOf(columns)[format];
  return head + textsOf(records, columns, format).join(between) + tail;
}

/** Only one page at a time exists as objects. */
export async function encodePages<Key extends string>(
  pages: AsyncIterable<Records<Key>>,
  columns: readonly Key[],
  format: Format,
): Promise<Buffer[]> {
  const { head, between, tail } = framesOf(columns)[format];
  const chunks: Buffer[] = [];
  for await (const page of pages) {
    const text = textsOf(page, columns, format).join(between);
    if (text) chunks.push(Buffer.from((chunks.length > 0 ? between : head) + text));
  }
  if (chunks.length === 0) chunks.push(Buffer.from(head));
  return [...chunks, Buffer.from(tail)];
}

/** The texts around and between encoded records. */
export function framesOf(columns: readonly string[]) {
  return {
    csv: { head: `${columns.join()}\n`, between: '', tail: '' },
    json: { head: '[', between: ',', tail: ']' },
    ndjson: { head: '', between: '', tail: '' },
  };
}

function textsOf<Key extends string>(
  records: Records<Key>,
  columns: readonly Key[],
  format: Format,
): string[] {
  return Array.from(records, (record) => {
    if (format === 'csv') return csvLine(columns.map((column) => record[column]));
    return format === 'ndjson' ? `${JSON.stringify(record)}\n` : JSON.stringify(record);
  });
}

/** Picks the members of a schema, in its order: a copy or a row may have others, in any order. */
export function membersOf<Schema extends z.ZodObject>(
  schema: Schema,
  given: z.output<Schema>,
): z.output<Schema> {
  const members = Object.keys(schema.shape).map((name) => [name, given[name as keyof typeof given]]);
  return Object.fromEntries(members) as z.output<Schema>;
}

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

/** All chunks but the last have at least `length` characters. */
export async function* textChunks(
  pieces: Iterable<string> | AsyncIterable<string>,
  length: number,
): AsyncGenerator<Buffer, void, undefined> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < length) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text.length > 0) yield Buffer.from(text);
}
