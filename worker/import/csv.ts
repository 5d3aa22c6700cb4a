import { isCalendarDate } from '../../core/domain/dates.js';
import { isExcepted, providerOf } from '../../core/domain/providers.js';
import type { SidedRow } from '../../core/domain/sides.js';

/** A file of rates can't be imported. The message says why, and names the faulty line, if any. */
class CsvError extends Error {
  override readonly name = 'CsvError';
}

export const HEADER = 'provider,date,base,quote,rate';
const HEADER_WITH_SIDES = `${HEADER},buy,sell`;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads rates from a CSV file in batches, with sides if its header names them, without quoting; lines that start with #
 * are comments. The first batch is empty and comes once the header was checked. Throws a CsvError for a missing header,
 * an invalid line, and a last line without its end.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<SidedRow[]> {
  let fields = 0;
  let number = 0;
  for await (const lines of readLines(bytes)) {
    const rows: SidedRow[] = [];
    for (const line of lines) {
      number++;
      if (line.startsWith('#')) continue;
      if (fields > 0) {
        if (line !== '') rows.push(readRow(line, number, fields));
        continue;
      }
      fields = fieldsOf(line, number);
      yield [];
    }
    if (rows.length > 0) yield rows;
  }
  if (fields === 0) fieldsOf('', number + 1);
}

/** The number of fields of each line. */
function fieldsOf(header: string, number: number): number {
  if (header !== HEADER && header !== HEADER_WITH_SIDES)
    throw new CsvError(`line ${number}: expected the header ${HEADER} or ${HEADER_WITH_SIDES}`);
  return header.split(',').length;
}

async function* readLines(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    yield text.includes('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
  }
  if (rest !== '') {
    throw new CsvError('the last line has no newline: the file was cut short, or needs one');
  }
}

function readRow(line: string, number: number, expected: number): SidedRow {
  const fields = line.split(',');
  const [provider = '', date = '', base = '', quote = '', rate = '', buy = '', sell = ''] = fields;
  if (fields.length !== expected) {
    throw new CsvError(`line ${number}: expected ${expected} fields, found ${fields.length}`);
  }
  if (!providerOf(provider) && !isExcepted(provider))
    throw new CsvError(
      `line ${number}: unknown provider ${JSON.stringify(provider)}; your own key needs a file in SOURCES_DIR`,
    );
  if (!isCalendarDate(date)) throw new CsvError(`line ${number}: not a date: ${JSON.stringify(date)}`);
  const row: SidedRow = { provider, date, base, quote, rate: readPrice(rate, number) };
  if (buy !== '') row.buy = readPrice(buy, number);
  if (sell !== '') row.sell = readPrice(sell, number);
  return row;
}

function readPrice(text: string, number: number): number {
  if (!NUMBER.test(text)) throw new CsvError(`line ${number}: not a rate: ${JSON.stringify(text)}`);
  return Number(text);
}
