import type { RawRow } from '../blend/carry-forward.js';
import type { SuspicionReason } from '../blend/suspicion.js';
import { crossingsOf } from '../crossing.js';
import type { CountedInput } from './inputs.js';

/** `suspicion` is null if it is not suspect. */
type SourceRow = RawRow & { suspicion: SuspicionReason | null };

/** A candidate derivation of a source's rate: the currency in which both sides are priced, and the rows for that. */
export interface SourceProof<Row> {
  per: string;
  inputs: CountedInput<Row>[];
}

/** The ways in which the rows of one source can give its rate of a pair, in the service's order. */
export function* sourceProofs<Row extends SourceRow>(
  { base, quote }: { base: string; quote: string },
  rows: readonly Row[],
  pivot: string | null,
): Generator<SourceProof<Row>> {
  if (base === quote) {
    yield { per: base, inputs: [] };
    return;
  }
  const inputsOf = (currency: string, per: string): CountedInput<Row>[] | undefined => {
    const direct = newestBetween(rows, currency, per);
    if (direct) return [counted(currency, direct)];
    return per === pivot ? bridgedInputs(currency, per, rows) : undefined;
  };
  const others = rows.flatMap((row) => [row.base, row.quote]).sort();
  const pers = [base, ...(pivot === null ? [] : [pivot]), quote, ...others];
  for (const crossing of crossingsOf({ base, quote }, pers, inputsOf))
    yield { per: crossing.per, inputs: [...(crossing.base ?? []), ...(crossing.quote ?? [])] };
}

/** The newest row that prices a currency per unit of another, and the row that converts that one to `per`. */
function bridgedInputs<Row extends SourceRow>(
  currency: string,
  per: string,
  rows: readonly Row[],
): CountedInput<Row>[] | undefined {
  const ofCurrency = rows
    .filter(({ base, quote }) => base === currency || quote === currency)
    .sort((one, other) => (one.date < other.date ? 1 : -1));
  for (const row of ofCurrency) {
    const bridge = newestBetween(rows, row.base === currency ? row.quote : row.base, per);
    if (bridge) return [counted(currency, row), { for: currency, row: bridge, part: { bridge: true } }];
  }
  return undefined;
}

/** The newest row between two currencies. If both directions have one on the same day, the row priced in `currency` wins. */
function newestBetween<Row extends SourceRow>(
  rows: readonly Row[],
  currency: string,
  per: string,
): Row | undefined {
  const between = (base: string, quote: string) =>
    rows
      .filter((row) => row.base === base && row.quote === quote)
      .reduce<Row | undefined>((newest, row) => (newest && newest.date > row.date ? newest : row), undefined);
  const [direct, inverse] = [between(per, currency), between(currency, per)];
  return direct && (!inverse || direct.date >= inverse.date) ? direct : inverse;
}

function counted<Row extends SourceRow>(currency: string, row: Row): CountedInput<Row> {
  const suspect = row.suspicion === null ? {} : { suspect: row.suspicion };
  return { for: currency, row, part: { weight: 1, ...suspect } };
}
