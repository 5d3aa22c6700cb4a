import type { SourcePair } from '../../../core/domain/receipt/source-steps.js';
import type { CountedInput } from './inputs.js';
import type { ProvenanceRow } from './rows-behind.js';

type Pair = Omit<SourcePair, 'provider' | 'per'>;

/** What to try a source's rate of a pair with: the currency that both are given per unit of, and the rows for that. */
export interface SourceProof {
  per: string;
  inputs: CountedInput[];
}

/**
 * The ways in which the rows of one source can give its rate of a pair, as the service looks for them: the pair as
 * published, both currencies per unit of the source's own, the inverse pair, and both per unit of another one.
 */
export function* sourceProofs(
  { base, quote }: Pair,
  rows: readonly ProvenanceRow[],
  pivot: string | null,
): Generator<SourceProof> {
  const others = rows.flatMap((row) => [row.base, row.quote]);
  const pers = new Set([base, ...(pivot === null ? [] : [pivot]), quote, ...others.toSorted()]);
  for (const per of pers) {
    const inputs = (currency: string) => {
      if (currency === per || base === quote) return [];
      return (
        directInput(currency, per, rows) ?? (per === pivot ? bridgedInputs(currency, per, rows) : undefined)
      );
    };
    const [ofBase, ofQuote] = [inputs(base), inputs(quote)];
    if (ofBase && ofQuote) yield { per, inputs: [...ofBase, ...ofQuote] };
  }
}

/** The row that gives a currency per unit of another; undefined where there is none. */
function directInput(
  currency: string,
  per: string,
  rows: readonly ProvenanceRow[],
): CountedInput[] | undefined {
  const direct = newestBetween(rows, currency, per);
  return direct && [counted(currency, direct)];
}

/** The row that gives a currency per unit of a third one, and the row that gives that one. */
function bridgedInputs(
  currency: string,
  per: string,
  rows: readonly ProvenanceRow[],
): CountedInput[] | undefined {
  const crossed = rows
    .filter(({ base, quote }) => base === currency || quote === currency)
    .flatMap((row) => {
      const other = row.base === currency ? row.quote : row.base;
      const bridge = newestBetween(rows, other, per);
      return bridge ? [{ row, bridge }] : [];
    })
    .sort((one, other) => (one.row.date < other.row.date ? 1 : -1));
  const [newest] = crossed;
  if (!newest) return undefined;
  const { bridge } = newest;
  return [counted(currency, newest.row), { for: currency, row: bridge, part: { bridge: true } }];
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
