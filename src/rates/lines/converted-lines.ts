import * as z from 'zod';
import { amountIn } from '../../../core/domain/amount.js';
import { minorUnitsSchema } from '../../../core/domain/currencies.js';
import { fixedRatesSchema } from '../../../core/domain/pegs.js';
import { receiptSchema } from '../../../core/domain/receipt/schema.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import { csvCell, framesOf, textChunks } from '../../formats/record-formats.js';
import type { Format } from '../../http/reply.js';
import { ruleSchema } from '../encoding/row-schema.js';
import type { Given, Line, ReadLine } from './lines.js';
import { RULE_COLUMNS, ruleCells } from './with-rule.js';

export const conversion = z
  .object({
    amount: z.string().meta({ example: '1250.00' }),
    base: z.string().meta({ example: 'EUR' }),
    quote: z.string().meta({ example: 'USD' }),
    date: z.iso.date().meta({ description: 'The requested day', example: '2026-03-20' }),
    observed: z.iso.date().meta({ description: 'The date of the rate', example: '2026-03-20' }),
    rate: z.number().meta({ description: 'Twelve significant digits', example: 1.1537 }),
    result: z.string().meta({
      example: '1442.13',
      description:
        'amount × rate, rounded half away from zero to the decimals of the quote, or to two decimals if the quote is a minor unit such as GBX. Exact for metals',
    }),
    minor_units: minorUnitsSchema.optional(),
    fixed: fixedRatesSchema.optional(),
    receipt: receiptSchema.optional(),
    rule: ruleSchema,
  })
  .meta({ id: 'Conversion' });

export type Conversion = Omit<z.output<typeof conversion>, 'receipt'>;

/** A converted line, or the reason why it can't be converted. */
export type Converted = Conversion | { error: string };

const COLUMNS = ['amount', 'base', 'quote', 'date', 'observed', 'rate', 'result', 'id', 'error'];
const COLUMNS_WITH_RULES = [...COLUMNS, ...RULE_COLUMNS];
const CHUNK_LENGTH = 64 * 1024;

/** Encodes lines in the request's format, each with its `id`. A line that can't be converted has `error`. */
export function encodeConvertedLines(
  lines: readonly ReadLine[],
  convert: (line: Line) => Converted,
  { format, hasRules = false }: { format: Format; hasRules?: boolean },
): AsyncGenerator<Buffer, void, undefined> {
  const columns = hasRules ? COLUMNS_WITH_RULES : COLUMNS;
  const { head, between, tail } = framesOf(columns)[format];
  const end = format === 'json' ? '' : '\n';
  function* texts(): Generator<string> {
    yield head;
    for (const [index, read] of lines.entries()) {
      const found = 'error' in read.line ? read.line : convert(read.line);
      const text = format === 'csv' ? toCsv(read, found, columns) : toJson(read, found);
      yield (index > 0 ? between : '') + text + end;
    }
    yield tail;
  }
  return textChunks(texts(), CHUNK_LENGTH);
}

function toJson({ id, given }: ReadLine, found: Converted): string {
  if (!('error' in found)) return JSON.stringify(id === undefined ? found : { ...found, id });
  const { id: _, ...rest } = given;
  return JSON.stringify({ ...rest, ...found, id });
}

function toCsv({ id, given }: ReadLine, found: Converted, columns: readonly string[]): string {
  if ('error' in found) {
    const members: Given = { ...given, rule_id: given.rule, ...found };
    return columns.map((column) => cellOf(members[column])).join(',');
  }
  // None of these cells needs quotes.
  const { amount, base, quote, date, observed, rate, result, rule } = found;
  const cells = `${amount},${base},${quote},${date},${observed},${plainDecimal(rate)},${result},${cellOf(id)},`;
  if (columns === COLUMNS) return cells;
  return `${cells},${rule ? ruleCells(rule) : NO_RULE}`;
}

const NO_RULE = ','.repeat(RULE_COLUMNS.length - 1);

/** An apostrophe precedes a formula, as OWASP advises, but not a number. */
function cellOf(value: unknown): string {
  const text = String(value ?? '');
  const isFormula = BEGINS_FORMULA.test(text) && amountIn(text) === undefined;
  return isFormula ? `"'${text.replaceAll('"', '""')}"` : csvCell(text);
}

/** The last four are the full-width forms of the first four, which some spreadsheets treat alike. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
