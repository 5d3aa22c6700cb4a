import { fromDayNumber } from '../../../core/domain/dates.js';
import { lastAskedDay } from '../../../core/domain/day-pick.js';
import { type Asked, addressOf } from '../../../core/domain/receipt/address.js';
import type { Receipt } from '../../../core/domain/receipt/schema.js';
import type { Format } from '../../formats/record-formats.js';
import { parameterError } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import { withReceipt } from '../encoding/with-member.js';
import { makeRows } from '../engine/make-rows.js';
import { type FoundRate, findRate } from '../engine/pair-rate.js';
import type { RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import type { ResolvedRequest } from '../engine/request.js';
import type { MakeReceipt } from './receipts.js';

export interface ReceiptContext extends RatesContext {
  receipts: MakeReceipt;
}

interface Proof {
  request: ResolvedRequest;
  view: RatesView;
  context: ReceiptContext;
}

/** Makes a receipt whose URL names the day and the instant, so that it returns the same rate for ever. */
export function receiptOf(
  { base, quote, picked, found, rates }: FoundRate,
  { request: { providers, side }, view, context }: Proof,
  parameters: Pick<Asked, 'kind' | 'amount' | 'precision'>,
): Promise<Receipt> {
  for (const [code, fixed] of Object.entries(found.fixed ?? {}))
    throw parameterError(
      422,
      'expand',
      `expand=receipt is not for ${code}, which has ended: use ${fixed.base}`,
    );
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

/** Makes the row of a pair as in the response to the same request without a receipt, and adds its receipt. */
export async function makeRowWithReceipt(
  asked: RatesInput<{ format: Format; header: boolean }>,
  view: RatesView,
  context: ReceiptContext,
): Promise<Content> {
  const { request, layout } = asked;
  const found = await findRate(request, view, context);
  const { precision } = request;
  const receipt = await receiptOf(found, { request, view, context }, { kind: 'rate', precision });
  const row = await makeRows({ ...asked, layout: { ...layout, single: true } }, view, context);
  return withReceipt(row, receipt);
}
