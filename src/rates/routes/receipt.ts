import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { inForce, pegOf } from '../../../core/domain/pegs.js';
import type { Receipt } from '../../../core/domain/receipt/schema.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { HttpError } from '../../http/errors.js';
import type { Format } from '../../http/record-formats.js';
import type { DeferredReply, Reply } from '../../http/reply.js';
import { moving, PAST } from '../../http/representation.js';
import type { MakeReceipt } from '../receipts/receipts.js';
import { lastUpTo } from '../snapshot/columns.js';
import { plainRow, type Row } from '../snapshot/row.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Reader } from '../sources/raw-store.js';
import { lookUpsOf } from './look-ups.js';
import { METHOD_HEADERS, ratesTag } from './method.js';
import { type Past, type PastDependencies, pastAt } from './past.js';
import { rawRows } from './raw-rows.js';
import { CONTENT_TYPES, type RatesDependencies } from './reply.js';
import { keyOf, type RatesRequest, stopped } from './request.js';
import { replyOfSnapshot } from './with-snapshot.js';

/** A pair whose rate is to be proven. Days are day numbers, instants milliseconds since 1970. */
export interface ReceiptRequest {
  base: string;
  quote: string;
  providers: readonly string[] | undefined;
  /** The day that was asked for; the newest one if none was. */
  day: number | undefined;
  /** Only rates strictly before the day. */
  isBefore?: boolean;
  asOf: number | undefined;
  /** The newest snapshot. */
  current: Snapshot;
}

/** What was known when a rate was found, and on which day it was looked up: what the receipt pins. */
export interface Pinned {
  day: number;
  knownAt: number;
  found: PairRate;
  /** The rates that it was found among. */
  snapshot: Snapshot;
  /** Makes the receipt. `url` is that of the request, with the day and the instant. */
  receipt(url: string): Promise<Receipt>;
}

type Dependencies = RatesDependencies & PastDependencies & { receipts: MakeReceipt; clock: Clock };

/**
 * Finds the rate of a pair among what was known, to prove it. Throws an HttpError: 404 where there is none, and as
 * `pastAt` does.
 */
export async function pin(
  dependencies: Dependencies,
  request: ReceiptRequest,
  reader: Reader,
): Promise<Pinned> {
  const { base, quote, providers, isBefore = false, current } = request;
  const instant = request.asOf ?? current.knownAt;
  const past = await pastAt(dependencies, current, { instant, parameter: 'as_of' });
  const day = request.day ?? (await newestDay(dependencies, request, { past, reader }));
  const knownAt = past.known.change.at;
  const missing = () => new HttpError(404, `no rate for ${base}/${quote}`);
  if (day === undefined) throw missing();
  const asked = isBefore ? day - 1 : day;
  const range = { form: 'range', from: asked - WINDOW_DAYS, to: asked, period: 'day' } as const;
  const snapshot = await past.snapshotFor({ base, quotes: [quote], providers, when: range }, reader);
  const source = { snapshot, providers, days: { from: asked, to: asked }, asOf: knownAt };
  const lookUps = await lookUpsOf(dependencies, source, reader);
  const found = lookUps.find(base, quote, asked);
  if (!found) throw missing();
  const proven = { snapshot, providers, base, quote, asked, columns: lookUps.columnsFor(base), found };
  return {
    day,
    knownAt,
    found,
    snapshot,
    receipt: (url) => dependencies.receipts({ ...proven, url }, reader),
  };
}

async function newestDay(
  dependencies: Dependencies,
  { providers, asOf }: ReceiptRequest,
  { past, reader }: { past: Past; reader: Reader },
): Promise<number | undefined> {
  if (!providers && asOf !== undefined) return past.newestDay(reader);
  if (!providers) {
    const { days } = past.known.current.days;
    return days[lastUpTo(days, todayNumber(dependencies.clock) + 1)];
  }
  const snapshot = await past.snapshotFor(
    { base: '', quotes: [], providers, when: { form: 'newest' } },
    reader,
  );
  const source = { snapshot, providers, days: { from: undefined, to: undefined }, asOf };
  return (await lookUpsOf(dependencies, source, reader)).newest;
}

/** The address of a pinned request. Empty values are left out. */
export function pinnedUrl(
  path: string,
  { day, knownAt }: Pinned,
  parameters: Record<string, string | undefined>,
): string {
  const pinned = {
    ...parameters,
    date: fromDayNumber(day),
    as_of: new Date(knownAt).toISOString(),
    expand: 'receipt',
  };
  const query = Object.entries(pinned)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${value}`);
  return `${path}?${query.join('&')}`;
}

interface ReceiptLayout {
  format: Format;
  /** Whether CSV begins with the names of its columns. */
  header: boolean;
  /** The path of the request, which its receipt names. */
  path: string;
}

/** The row of a pair with its receipt. */
export function receiptReply(
  dependencies: Dependencies,
  request: RatesRequest & { quotes: readonly [string] },
  { format, header, path }: ReceiptLayout,
  reader: Reader,
): Promise<DeferredReply> {
  const { base, providers, precision, when, asOf } = request;
  const [quote] = request.quotes;
  const day = when.form === 'date' ? when.day : undefined;
  const now = stopped(dependencies.clock);
  return replyOfSnapshot(dependencies.snapshot, (current) => {
    const { version: dataVersion } = current;
    const parts = [dataVersion, todayNumber(now), keyOf(request), asOf ?? '', format, String(header), path];
    const validity = {
      tag: ratesTag('receipt', ...parts),
      cacheControl: day !== undefined && asOf !== undefined ? PAST : () => moving(dependencies.clock),
      vary: ['accept'],
    };
    async function make(): Promise<Reply> {
      const asked = { base, quote, providers, day, asOf, current };
      const pinned = await pin({ ...dependencies, clock: now }, asked, reader);
      const url = pinnedUrl(path, pinned, {
        providers: providers?.join(),
        precision: precision === 'full' ? precision : undefined,
      });
      const receipt = await pinned.receipt(url);
      const row = { ...(await rowOf(dependencies, request, pinned, { format, reader })), receipt };
      const content = { type: CONTENT_TYPES[format], body: encodeWithReceipt(row, format, header) };
      const headers = ['x-rates-as-of', fromDayNumber(pinned.day), ...METHOD_HEADERS];
      return { validity, dataVersion, content: { ...content, headers } };
    }
    return { validity, dataVersion, make };
  });
}

/** The row of a pair without its receipt, as the same request without one gives it. */
async function rowOf(
  { raw }: Dependencies,
  request: RatesRequest & { quotes: readonly [string] },
  { day, found, snapshot }: Pinned,
  { format, reader }: { format: Format; reader: Reader },
): Promise<Readonly<Record<string, unknown>>> {
  const { base, providers, precision } = request;
  const [quote] = request.quotes;
  const peg = providers ? undefined : pegOf(quote);
  const isPeg = peg?.base === base && inForce(peg)(found.day);
  let row: Row = { ...plainRow(quote, found.rate), published: isPeg };
  if (providers?.length === 1) {
    const when = { form: 'date', day } as const;
    const own = await rawRows({ raw, snapshot, request: { ...request, when }, tomorrow: day, reader });
    for await (const { rows } of own.rows) [row = row] = rows;
  }
  const shown = precision === 'full' || row.published ? roundForStorage : roundForDisplay;
  return {
    date: fromDayNumber(found.day),
    base,
    quote,
    rate: shown(found.rate),
    ...(row.suspect && format !== 'csv' && { suspect: true, reason: row.suspect }),
    ...(row.validity && {
      valid_from: fromDayNumber(row.validity.from),
      valid_to: fromDayNumber(row.validity.to),
    }),
  };
}

/** A record with a receipt as a body. In CSV, the receipt is a cell of JSON. */
export function encodeWithReceipt(
  record: Readonly<Record<string, unknown>> & { receipt: Receipt },
  format: Format,
  header = true,
): string {
  if (format !== 'csv') return `${JSON.stringify(record)}${format === 'ndjson' ? '\n' : ''}`;
  const { receipt, ...cells } = record;
  const quoted = `"${JSON.stringify(receipt).replaceAll('"', '""')}"`;
  const names = header ? `${Object.keys(record).join()}\n` : '';
  return `${names}${Object.values(cells).join()},${quoted}\n`;
}
