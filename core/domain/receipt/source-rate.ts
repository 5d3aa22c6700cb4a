import { type RawRow, WINDOW_DAYS } from '../blend/carry-forward.js';
import { type Crossing, crossingsOf, unitsPer } from '../crossing.js';
import { dayNumber, later } from '../dates.js';
import { providerOf } from '../providers.js';
import { sideOfRow } from '../sides.js';
import { type Asked, checkDay, validDays } from './address.js';
import { inputName, type Part, type Remade } from './inputs.js';
import type { Receipt, ReceiptInput, ReceiptSteps } from './schema.js';

type SourceRow = RawRow & Pick<ReceiptInput, 'suspect'>;

/** A row with its part in the rate of the currency `for`. */
type Counted<Row> = Row & Part & Pick<ReceiptInput, 'for'>;

/** The row that prices a currency, and if it is needed, the one that converts it to the common currency. */
type Leg<Row> = readonly Counted<Row>[];

/** A pair of a source, and the day of its rate. */
type SourcePair = Omit<RawRow, 'rate'>;

/**
 * The ways in which the rows of one source can give its rate of a pair, in the service's order: each the currency in which both
 * sides are priced, the rows for that, and the steps from these.
 */
export function* sourceProofs<Row extends SourceRow>(
  pair: SourcePair,
  rows: readonly Row[],
  pivot: string | null,
): Generator<{ per: string; inputs: Counted<Row>[]; steps: ReceiptSteps }> {
  const { base, quote } = pair;
  const legOf = (currency: string, per: string): Leg<Row> | undefined => {
    const direct = newestBetween(rows, currency, per);
    if (direct) return [counted(currency, direct)];
    return per === pivot ? bridgedLeg(currency, per, rows) : undefined;
  };
  const others = rows.flatMap((row) => [row.base, row.quote]).sort();
  const pers = base === quote ? [base] : [base, ...(pivot === null ? [] : [pivot]), quote, ...others];
  for (const crossing of crossingsOf(pair, pers, legOf)) {
    const inputs = [...(crossing.base ?? []), ...(crossing.quote ?? [])];
    yield { per: crossing.per, inputs, steps: stepsOf(pair, crossing) };
  }
}

/** The newest row that prices a currency per unit of another, and the row that converts that one to `per`. */
function bridgedLeg<Row extends SourceRow>(
  currency: string,
  per: string,
  rows: readonly Row[],
): Leg<Row> | undefined {
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

/** Prices both per unit of a third currency, or of the other if a row contains both. The date is the newer one of two figures. */
function stepsOf(pair: SourcePair, { per, ...legs }: Crossing<readonly RawRow[]>): ReceiptSteps {
  const figureOf = (currency: string, [main, bridge]: readonly RawRow[] = []) => {
    if (!main) return { currency, date: undefined, rate: 1 };
    const other = main.base === currency ? main.quote : main.base;
    const rate = unitsPer(main, currency, per, bridge && unitsPer(bridge, other, per));
    return { currency, date: main.date, rate };
  };
  const [base, quote] = [figureOf(pair.base, legs.base), figureOf(pair.quote, legs.quote)];
  const figures = [base, quote].flatMap(({ date, ...leg }) => (date === undefined ? [] : { ...leg, date }));
  const date = figures.length > 0 ? figures.map((figure) => figure.date).reduce(later) : pair.date;
  return {
    frame: [],
    consensus: [],
    weights: [],
    peg: [],
    source: { provider: pair.provider, per, figures },
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
  const pair = { provider, base, quote, date: steps.ratio.date };
  const proof = [...sourceProofs(pair, rows, known.pivot_currency)].find((one) => one.per === per);
  if (!proof)
    throw new RangeError(`steps.source.per: the rows do not give the rate per ${JSON.stringify(per)}`);
  return { inputs: proof.inputs, steps: proof.steps };
}
