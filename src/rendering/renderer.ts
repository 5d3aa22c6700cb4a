import { type Admission, isLong, type Waiter } from '../http/admission.js';
import type { MakeContent } from '../http/dispatcher.js';
import { type ByteStream, type Content, isStream, type Task } from '../http/reply.js';
import { makeConversion, makeConvertedLines } from '../rates/convert/convert.js';
import { makeDialect } from '../rates/dialects/dialects.js';
import { makeRows } from '../rates/engine/make-rows.js';
import { fromRates } from '../rates/engine/rates-view.js';
import { makeRowWithReceipt } from '../rates/receipts/make-receipt.js';
import { makeCoverage } from '../rates/routes/coverage.js';
import { makeCurrencyNames, makeEcbRates } from '../rates/routes/v1.js';
import { byRule } from '../rates/rules/by-rule.js';
import { makeData } from '../rates/sdmx/data.js';
import { makeStructures } from '../rates/sdmx/structures/ask-structures.js';
import type { Snapshot } from '../rates/snapshot/snapshot.js';
import { makeRevisions } from '../revisions/routes.js';
import { makeSuspects } from '../suspects/routes.js';
import type { MakerContext } from './database-context.js';
import { asUnavailable } from './errors.js';

type Maker = (input: never, context: MakerContext) => Promise<Content>;

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
): Promise<Content> {
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

/** Content made at once is not interrupted: a signal of its own would take longer to create than many contents. */
const AT_ONCE = { signal: new AbortController().signal };

interface RendererOptions {
  admission: Pick<Admission, 'admit'>;
  threads?: { make(task: Task, waiter: Waiter): Promise<Content> } | undefined;
  makerContext: Omit<MakerContext, 'snapshot' | 'signal'>;
}

/** Once there is capacity for their cost, makes short contents in place and long ones in a thread, if there is one. */
export function openRenderer({ admission, threads, makerContext }: RendererOptions): MakeContent {
  async function inPlace(task: Task, { signal }: Pick<Waiter, 'signal'>): Promise<Content> {
    try {
      const made = await make(task, { snapshot: task.snapshot as Snapshot, signal, ...makerContext });
      return isStream(made.body) ? await begin(made) : made;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  return async (task, context) => {
    const waiting = admission.admit(context, task.cost);
    if (waiting) await waiting;
    if (!isLong(task.cost)) return inPlace(task, AT_ONCE);
    return threads ? threads.make(task, context) : inPlace(task, context);
  };
}
