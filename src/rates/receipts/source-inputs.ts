import { crossingsOf } from '../../../core/domain/crossing.js';
import type { CountedInput } from './inputs.js';
import type { ProvenanceRow } from './rows-behind.js';

/** What to try a source's rate of a pair with: the currency that both are given per unit of, and the rows for that. */
export interface SourceProof {
  per: string;
  inputs: CountedInput[];
}

/** The ways in which the rows of one source can give its rate of a pair, as the service looks for them. */
export function* sourceProofs(
  { base, quote }: { base: string; quote: string },
  rows: readonly ProvenanceRow[],
  pivot: string | null,
): Generator<SourceProof> {
  if (base === quote) {
    yield { per: base, inputs: [] };
    return;
  }
  const inputsOf = (currency: string, per: string): CountedInput[] | undefined => {
    const direct = newestBetween(rows, currency, per);
    if (direct) return [counted(currency, direct)];
    return per === pivot ? bridgedInputs(currency, per, rows) : undefined;
  };
  const others = rows.flatMap((row) => [row.base, row.quote]).sort();
  const pers = [base, ...(pivot === null ? [] : [pivot]), quote, ...others];
  for (const crossing of crossingsOf({ base, quote }, pers, inputsOf))
    yield { per: crossing.per, inputs: [...(crossing.base ?? []), ...(crossing.quote ?? [])] };
}

/** The newest row that gives a currency per unit of a third one, and the row that gives that one. */
function bridgedInputs(
  currency: string,
  per: string,
  rows: readonly ProvenanceRow[],
): CountedInput[] | undefined {
  const ofCurrency = rows
    .filter(({ base, quote }) => base === currency || quote === currency)
    .sort((one, other) => (one.date < other.date ? 1 : -1));
  for (const row of ofCurrency) {
    const bridge = newestBetween(rows, row.base === currency ? row.quote : row.base, per);
    if (bridge) return [counted(currency, row), { for: currency, row: bridge, part: { bridge: true } }];
  }
  return undefined;
}

/** The newest row between two currencies; of a day, that in units of the first. */
function newestBetween(
  rows: readonly ProvenanceRow[],
  currency: string,
  per: string,
): ProvenanceRow | undefined {
  const between = (base: string, quote: string) =>
    rows
      .filter((row) => row.base === base && row.quote === quote)
      .reduce<ProvenanceRow | undefined>(
        (newest, row) => (newest && newest.date > row.date ? newest : row),
        undefined,
      );
  const [direct, inverse] = [between(per, currency), between(currency, per)];
  return direct && (!inverse || direct.date >= inverse.date) ? direct : inverse;
}

function counted(currency: string, row: ProvenanceRow): CountedInput {
  const suspect = row.suspicion === null ? {} : { suspect: row.suspicion };
  return { for: currency, row, part: { weight: 1, ...suspect } };
}
