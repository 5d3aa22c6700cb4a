import type { HistoryRow } from '../../core/database/bulk/store-history.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { isExcepted, providerOf } from '../../core/domain/providers.js';
import { isWithinBounds } from '../feeds/validate.js';
import { CsvError } from './csv-error.js';
import { checkTrailer } from './trailer.js';

export const HEADER = 'provider,date,base,quote,rate';
/** The header of a file with the recorded history: see `exportRates`. */
const HISTORY_HEADER = `${HEADER},recorded_at,replaced_at,cause,suspect`;

const FIELDS = HEADER.split(',').length;
const HISTORY_FIELDS = HISTORY_HEADER.split(',').length;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Whether a file has the columns of rates only or of the history. */
export type CsvForm = 'rates' | 'history';

/**
 * Reads rates from a CSV file in batches, without quoting; lines that start with # are comments. The first batch is empty and
 * comes once the header was checked and `onForm` was called. Throws a CsvError for a missing header, an invalid line, and,
 * after the last batch, for a truncated file.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array | string>,
  onForm: (form: CsvForm) => void = () => {},
): AsyncGenerator<RawRow[] | HistoryRow[]> {
  const dates = new Set<string>();
  let form: CsvForm | undefined;
  let number = 0;
  for await (const lines of checkTrailer(readLines(bytes))) {
    const rows: RawRow[] = [];
    for (const line of lines) {
      number++;
      if (line.startsWith('#')) continue;
      if (form === undefined) {
        form = formOf(line, number);
        onForm(form);
        yield [];
      } else if (line !== '') {
        rows.push(form === 'rates' ? readRow(line, number, dates) : readHistoryRow(line, number, dates));
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (form === undefined) formOf('', number + 1);
}

function formOf(header: string, number: number): CsvForm {
  if (header === HISTORY_HEADER) return 'history';
  if (header !== HEADER) throw new CsvError(`line ${number}: expected the header ${HEADER}`);
  return 'rates';
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
  if (rest !== '') {
    throw new CsvError('the last line has no newline: the file was cut short, or needs one');
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function readHistoryRow(line: string, number: number, dates: Set<string>): HistoryRow {
  const fields = line.split(',');
  if (fields.length !== HISTORY_FIELDS)
    throw new CsvError(`line ${number}: expected ${HISTORY_FIELDS} fields, found ${fields.length}`);
  const row = readRow(fields.slice(0, FIELDS).join(), number, dates);
  if (!isWithinBounds(row.rate))
    throw new CsvError(`line ${number}: rate out of bounds: ${fields[FIELDS - 1]}`);
  const [recordedAt = '', replacedAt = '', cause = '', suspect = ''] = fields.slice(FIELDS);
  for (const instant of replacedAt === '' ? [recordedAt] : [recordedAt, replacedAt]) {
    if (!INSTANT.test(instant))
      throw new CsvError(`line ${number}: not an instant: ${JSON.stringify(instant)}`);
  }
  if (!CAUSE.test(cause)) throw new CsvError(`line ${number}: not a cause: ${JSON.stringify(cause)}`);
  if (!SUSPECT.test(suspect)) throw new CsvError(`line ${number}: not a suspect: ${JSON.stringify(suspect)}`);
  return {
    ...row,
    recordedAt,
    replacedAt: replacedAt || undefined,
    cause: cause || undefined,
    suspect: suspect || undefined,
  };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CAUSE = /^(source|reading)?$/;
const SUSPECT =
  /^(\w+ [\d.e+-]+ \d+( (held|confirmed|accepted|rejected|corrected)\/\w+\/([\da-f]{2})+@[\dT:.-]+Z)+)?$/;

/** `dates` caches valid dates, as millions of lines have few distinct dates. */
function readRow(line: string, number: number, dates: Set<string>): RawRow {
  const fields = line.split(',');
  const [provider = '', date = '', base = '', quote = '', rate = ''] = fields;
  if (fields.length !== FIELDS) {
    throw new CsvError(`line ${number}: expected ${FIELDS} fields, found ${fields.length}`);
  }
  if (!providerOf(provider) && !isExcepted(provider))
    throw new CsvError(
      `line ${number}: unknown provider ${JSON.stringify(provider)}; your own key needs a file in SOURCES_DIR`,
    );
  if (!dates.has(date)) {
    if (!isCalendarDate(date)) throw new CsvError(`line ${number}: not a date: ${JSON.stringify(date)}`);
    dates.add(date);
  }
  if (!NUMBER.test(rate)) throw new CsvError(`line ${number}: not a rate: ${JSON.stringify(rate)}`);
  return { provider, date, base, quote, rate: Number(rate) };
}

/** The rows of providers that are not excepted. Counts the others in `dropped`. */
export function withoutExcepted<Row extends RawRow>(rows: Row[], dropped: Record<string, number>): Row[] {
  const kept = rows.filter(({ provider }) => !isExcepted(provider));
  const count = rows.length - kept.length;
  if (count > 0) dropped.excepted = (dropped.excepted ?? 0) + count;
  return kept;
}
