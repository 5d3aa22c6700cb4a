import type { ReadFigures } from '../../core/database/bulk/published-figures.js';
import type { ReadRevisions } from '../../core/database/revisions.js';
import type { ReadSuspects } from '../../core/database/suspects.js';
import { type ByteStream, type Content, isStream, type Task } from '../http/reply.js';
import { makeConversion, makeConvertedLines } from '../rates/convert/convert.js';
import { makeDialect } from '../rates/dialects/dialects.js';
import { makeRows } from '../rates/engine/make-rows.js';
import { fromRates } from '../rates/engine/rates-view.js';
import { makeRowWithReceipt, type ReceiptContext } from '../rates/receipts/make-receipt.js';
import { makeCoverage } from '../rates/routes/coverage.js';
import { makeCurrencyNames, makeEcbRates } from '../rates/routes/v1.js';
import { byRule } from '../rates/rules/by-rule.js';
import { makeData } from '../rates/sdmx/data.js';
import { makeStructures } from '../rates/sdmx/structures/ask-structures.js';
import { makeRevisions } from '../revisions/routes.js';
import { makeSuspects } from '../suspects/routes.js';

export interface MakerContext extends ReceiptContext {
  readFigures: ReadFigures;
  readRevisions: ReadRevisions;
  readSuspects: ReadSuspects;
}

type Maker = (input: never, context: MakerContext) => Content | Promise<Content>;

/** By the names that tasks use for them. */
const MAKERS: Readonly<Record<string, Maker>> = {
  rows: fromRates(makeRows),
  'rows-by-rule': fromRates(byRule(makeRows)),
  'row-with-receipt': fromRates(makeRowWithReceipt),
  'row-with-receipt-by-rule': fromRates(byRule(makeRowWithReceipt)),
  conversion: fromRates(makeConversion),
  'conversion-by-rule': fromRates(byRule(makeConversion)),
  'converted-lines': fromRates(makeConvertedLines),
  coverage: fromRates(makeCoverage),
  'ecb-rates': fromRates(makeEcbRates),
  'currency-names': fromRates(makeCurrencyNames),
  dialect: fromRates(makeDialect),
  'sdmx-data': fromRates(makeData),
  'sdmx-structures': fromRates(makeStructures),
  revisions: makeRevisions,
  suspects: makeSuspects,
};

/** Throws the errors of the maker. */
export function make(
  { maker, input }: Pick<Task, 'maker' | 'input'>,
  context: MakerContext,
): Content | Promise<Content> {
  const found = MAKERS[maker];
  if (!found) throw new Error(`no maker has the name ${maker}`);
  return found(input as never, context);
}

/** An error up to the second chunk can still become an error response. A single chunk becomes a whole body. */
export async function begin(content: Content): Promise<Content> {
  const { body } = content;
  if (!isStream(body)) return content;
  const { value = '', done } = await body.next();
  // Requesting the second chunk may overwrite the first.
  const first = Buffer.from(value);
  const second = done ? { done } : await body.next();
  if (second.done) return { ...content, body: first };
  const whole = continued([first, second.value], body);
  await whole.next();
  return { ...content, body: whole };
}

async function* continued(made: Uint8Array[], rest: ByteStream): ByteStream {
  try {
    // A generator that has not run up to here would end without closing the rest.
    yield new Uint8Array();
    for (let chunk = made.shift(); chunk; chunk = made.shift()) yield chunk;
    yield* rest;
  } finally {
    await rest.return();
  }
}
