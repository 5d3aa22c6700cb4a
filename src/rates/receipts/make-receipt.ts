import { fromDayNumber } from '../../../core/domain/dates.js';
import { lastAskedDay } from '../../../core/domain/day-pick.js';
import { inForce, pegOf } from '../../../core/domain/pegs.js';
import { type Asked, addressOf } from '../../../core/domain/receipt/address.js';
import type { Receipt } from '../../../core/domain/receipt/schema.js';
import { CONTENT_TYPES, encodeRecord, type Format } from '../../formats/record-formats.js';
import { parameterError } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import { type FoundRate, findRate } from '../engine/look-ups.js';
import { shownRate } from '../engine/make-rows.js';
import type { RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import type { ResolvedRequest } from '../engine/request.js';
import { plainRow, type Row, rowsByDate } from '../snapshot/row.js';
import { asOfDay } from '../snapshot/rows.js';
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
  for (const [code, fixed] of Object.entries(found.fixed ?? {})) {
    const message = `expand=receipt is not for ${code}, which has ended: use ${fixed.base}`;
    throw parameterError(422, 'expand', message);
  }
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
  { request, layout: { format, header } }: RatesInput<{ format: Format; header: boolean }>,
  view: RatesView,
  context: ReceiptContext,
): Promise<Content> {
  const proof = { request, view, context };
  const found = await findRate(request, view, context);
  const receipt = await receiptOf(found, proof, { kind: 'rate', precision: request.precision });
  const row = { ...(await rowOf(found, proof, format)), receipt };
  const { day } = found.picked;
  const asOf = request.when.form === 'date' ? asOfDay(request.when, await view.newestDay(context)) : day;
  const headers = ['x-rates-as-of', fromDayNumber(asOf ?? day)];
  return { type: CONTENT_TYPES[format], body: encodeRecord(row, format, header), headers };
}

/** The row of a pair without its receipt, as in the response to the same request without one. */
async function rowOf(
  { base, quote, picked, found }: FoundRate,
  { request, view, context }: Proof,
  format: Format,
): Promise<Readonly<Record<string, unknown>>> {
  const { providers, side, precision } = request;
  const peg = providers ? undefined : pegOf(quote);
  const isPeg = peg?.base === base && inForce(peg)(found.day);
  let row: Row = { ...plainRow(quote, found.rate), published: isPeg };
  if (providers?.length === 1) {
    const ofDay: ResolvedRequest = { ...request, when: { form: 'date', ...picked } };
    const { rows } = await view.sourceOf(providers, side).rows(ofDay, context);
    for (const own of await rowsByDate(rows)) [row = row] = own.rows;
  }
  return {
    date: fromDayNumber(found.day),
    base,
    quote,
    rate: shownRate({ ...row, rate: found.rate }, precision),
    ...(row.suspect && format !== 'csv' && { suspect: true, reason: row.suspect }),
    ...(row.validity && {
      valid_from: fromDayNumber(row.validity.from),
      valid_to: fromDayNumber(row.validity.to),
    }),
  };
}
