import { type RawRow, WINDOW_DAYS } from '../blend/carry-forward.js';
import { crossingsOf, unitsPer } from '../crossing.js';
import { dayNumber, later } from '../dates.js';
import { providerOf } from '../providers.js';
import { sideOfRow } from '../sides.js';
import { type Asked, checkDay, validDays } from './address.js';
import { inputName, type Part, type Remade } from './inputs.js';
import type { Receipt, ReceiptInput, ReceiptSteps } from './schema.js';
import type { CountedRow } from './steps.js';

type SourceRow = RawRow & Pick<ReceiptInput, 'suspect'>;

/** A row with its part in the rate of the currency `for`. */
type Counted<Row> = Row & Part & Pick<ReceiptInput, 'for'>;

/**
 * The ways in which the rows of one source can give its rate of a pair, in the service's order: each the currency in which both
 * sides are priced, and the rows for that.
 */
export function* sourceProofs<Row extends SourceRow>(
  { base, quote }: { base: string; quote: string },
  rows: readonly Row[],
  pivot: string | null,
): Generator<{ per: string; inputs: Counted<Row>[] }> {
  if (base === quote) {
    yield { per: base, inputs: [] };
    return;
  }
  const inputsOf = (currency: string, per: string): Counted<Row>[] | undefined => {
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
): Counted<Row>[] | undefined {
  const ofCurrency = rows
    .filter(({ base, quote }) => base === currency || quote === currency)
    .sort((one, other) => (one.date < other.date ? 1 : -1));
  for (const row of ofCurrency) {
    const bridge = newestBetween(rows, row.base === currency ? row.quote : row.base, per);
    if (bridge)
      return [counted(currency, row), { ...bridge, for: currency, bridge: true, suspect: undefined }];
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

function counted<Row extends SourceRow>(currency: string, row: Row): Counted<Row> {
  return { ...row, for: currency, weight: 1 };
}

/** `date` is that of the row, or the newer one if there are two figures. */
interface SourcePair extends Omit<RawRow, 'rate'> {
  /** The currency per unit of which both sides are priced. */
  per: string;
}

/**
 * Prices both per unit of a third currency, or of the other if a row contains both. NaN if a row is missing. `bridge` marks a
 * row that only converts another row of the same currency to `per`.
 */
export function computeSourceSteps(
  pair: SourcePair,
  rows: readonly (CountedRow & Pick<ReceiptInput, 'bridge'>)[],
): ReceiptSteps {
  const { provider, per } = pair;
  const isSame = pair.base === pair.quote;
  const legOf = (currency: string) => {
    if (isSame || currency === per) return { currency, date: undefined, rate: 1 };
    const own = rows.filter((row) => row.for === currency && row.provider === provider);
    const main = own.find(({ bridge }) => !bridge);
    if (!main) return { currency, date: undefined, rate: NaN };
    const bridge = own.find(({ bridge }) => bridge);
    const other = main.base === currency ? main.quote : main.base;
    const rate = unitsPer(main, currency, per, bridge && unitsPer(bridge, other, per));
    return { currency, date: main.date, rate };
  };
  const [base, quote] = [legOf(pair.base), legOf(pair.quote)];
  const dates = [base, quote].flatMap(({ date }) => date ?? []);
  const date = dates.length > 0 ? dates.reduce(later) : pair.date;
  const figures = [base, quote].flatMap(({ date, ...leg }) => (date === undefined ? [] : { ...leg, date }));
  return {
    frame: [],
    consensus: [],
    weights: [],
    peg: [],
    source: { provider, per, figures },
    ratio: {
      base: { ...base, date: base.date ?? date },
      quote: { ...quote, date: quote.date ?? date },
      date,
      rate: quote.rate / base.rate,
    },
  };
}

/** Each figure comes from one row, and from a bridge row if it must be converted to the common currency. Throws a RangeError. */
export function remadeOfSource({ inputs, steps }: Receipt, asked: Asked): Remade {
  const { base, quote, providers: [provider = ''] = [] } = asked;
  const known = providerOf(provider);
  if (!known) throw new RangeError(`url: providers: ${provider} is not a source that this program knows`);
  const another = inputs.find(
    (row) => row.side !== sideOfRow(asked.side, asked, row) || (asked.side && !row.side),
  );
  if (another) throw new RangeError(`inputs ${inputName(another)}: is not of the side that url asks for`);
  checkDay(asked, steps.ratio.date, known.period);
  const found = dayNumber(steps.ratio.date);
  const { from, to } = known.period
    ? validDays(asked, found, known.period)
    : { from: found - WINDOW_DAYS, to: found };
  const rows = inputs.flatMap(({ weight: _, left_out: _out, bridge: _bridge, judgement: _own, ...input }) => {
    const day = dayNumber(input.date);
    return day >= from && day <= to ? input : [];
  });
  const per = steps.source?.per ?? '';
  const proof = [...sourceProofs({ base, quote }, rows, known.pivot_currency)].find((one) => one.per === per);
  if (!proof)
    throw new RangeError(`steps.source.per: the rows do not give the rate per ${JSON.stringify(per)}`);
  const pair = { provider, base, quote, per, date: steps.ratio.date };
  return { inputs: proof.inputs, steps: computeSourceSteps(pair, proof.inputs) };
}
