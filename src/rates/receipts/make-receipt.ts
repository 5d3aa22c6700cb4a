import { fromDayNumber } from '../../../core/domain/dates.js';
import { lastAskedDay } from '../../../core/domain/day-pick.js';
import { type Asked, addressOf } from '../../../core/domain/receipt/address.js';
import type { Receipt } from '../../../core/domain/receipt/schema.js';
import { encodeRecord } from '../../formats/record-formats.js';
import { parameterError } from '../../http/errors.js';
import { CONTENT_TYPES, type Content, type Format } from '../../http/reply.js';
import { type FoundRate, findRate } from '../engine/look-ups.js';
import { makeRows } from '../engine/make-rows.js';
import type { RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import type { ResolvedRequest } from '../engine/request.js';
import { asOfDay } from '../snapshot/rows.js';
import type { MakeReceipt } from './receipts.js';

export interface ReceiptContext extends RatesContext {
  receipts: MakeReceipt;
}

/** Makes a receipt whose URL names the day and the instant, so that it returns the same rate for ever. */
export function receiptOf(
  { base, quote, picked, found, rates }: FoundRate,
  { request, view, context }: { request: ResolvedRequest; view: RatesView; context: ReceiptContext },
  parameters: Pick<Asked, 'kind' | 'amount' | 'precision'>,
): Promise<Receipt> {
  for (const [code, fixed] of Object.entries(found.fixed ?? {})) {
    const message = `expand=receipt is not for ${code}, which has ended: use ${fixed.base}`;
    throw parameterError(422, 'expand', message);
  }
  const { providers, side } = request;
  const url = addressOf({
    ...parameters,
    base,
    quote,
    providers,
    side,
    date: fromDayNumber(picked.day),
    pick: picked.pick,
    asOf: new Date(view.knownAt).toISOString(),
  });
  const { snapshot, columnsFor } = rates;
  const asked = lastAskedDay(picked, found.day);
  const proven = { snapshot, providers, side, base, quote, asked, columns: columnsFor(base), found, url };
  return context.receipts(proven, context);
}

export async function makeRowWithReceipt(
  { request, layout: { format, header }, ...input }: RatesInput<{ format: Format; header: boolean }>,
  view: RatesView,
  context: ReceiptContext,
): Promise<Content> {
  const found = await findRate(request, view, context);
  const { precision } = request;
  const receipt = await receiptOf(found, { request, view, context }, { kind: 'rate', precision });
  // The row is that of the same request without a receipt.
  const when = { form: 'date', ...found.picked } as const;
  const layout = { format: 'json', single: true, header } as const;
  const { body } = await makeRows({ ...input, request: { ...request, when }, layout }, view, context);
  const { suspect, reason, ...row }: Readonly<Record<string, unknown>> = JSON.parse(String(body));
  const marked = format === 'csv' ? row : { ...row, suspect, reason };
  const { day } = found.picked;
  const asOf = request.when.form === 'date' ? asOfDay(request.when, await view.newestDay(context)) : day;
  const headers = ['x-rates-as-of', fromDayNumber(asOf ?? day)];
  return { type: CONTENT_TYPES[format], body: encodeRecord({ ...marked, receipt }, format, header), headers };
}
