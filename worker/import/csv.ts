import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';

export const HEADER = 'provider,date,base,quote,rate';

/** A line that is not a rate; the message names the line. */
class CsvError extends Error {
  override readonly name = 'CsvError';
}

const FIELDS = HEADER.split(',').length;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads rates from the bytes of a CSV file, in batches: a header line, then one row on each line, without quoting. The
 * first batch is empty, and comes after the header was checked. Throws a CsvError if the header is missing or a line
 * has an unknown provider, a date that does not exist or a rate that is no number.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<RawRow[]> {
  const dates = new Set<string>();
  let number = 0;
  for await (const lines of readLines(bytes)) {
    const rows: RawRow[] = [];
    for (const line of lines) {
      number++;
      if (number === 1) {
        if (line !== HEADER) throw new CsvError(`line 1: expected the header ${HEADER}`);
        yield [];
      } else if (line !== '') {
        rows.push(readRow(line, number, dates));
      }
    }
    if (rows.length > 0) yield rows;
  }
}

async function* readLines(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    yield text.includes('\r') ? lines.map(withoutReturn) : lines;
  }
  yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** `dates` are those already checked: millions of lines have few different dates. */
function readRow(line: string, number: number, dates: Set<string>): RawRow {
  const fields = line.split(',');
  const [provider = '', date = '', base = '', quote = '', rate = ''] = fields;
  if (fields.length !== FIELDS) {
    throw new CsvError(`line ${number}: expected ${FIELDS} fields, found ${fields.length}`);
  }
  if (!providerOf(provider))
    throw new CsvError(
      `line ${number}: unknown provider ${JSON.stringify(provider)}; a key of your own needs a file in SOURCES_DIR`,
    );
  if (!dates.has(date)) {
    if (!isCalendarDate(date)) throw new CsvError(`line ${number}: not a date: ${JSON.stringify(date)}`);
    dates.add(date);
  }
  if (!NUMBER.test(rate)) throw new CsvError(`line ${number}: not a rate: ${JSON.stringify(rate)}`);
  return { provider, date, base, quote, rate: Number(rate) };
}
