import type { DayWindow } from '../../domain/dates.js';
import { readDay, readInstant, readText } from '../binary-format.js';
import { and, arrayOf, filterOfDays, rowConditions, type Sql, sql } from '../sql.js';
import { leftOutAt } from '../suspects.js';
import type { Transaction } from '../transactions.js';
import { shownCondition } from './blended-rows.js';
import { copyOut, type Offsets } from './copy-out.js';

interface FigureSelection extends DayWindow {
  provider: string;
  bases: readonly string[];
  quotes?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  knownAt: number;
}

/** Instants are in milliseconds since 1970; `replacedAt` is 0 if it was not replaced. `isLeftOut`: held back from the blend. */
export type PublishedFigure = ReturnType<typeof readFigure>;

function readFigure(bytes: Buffer, [quote, base, date, rate, recordedAt, replacedAt, leftOut]: Offsets) {
  return {
    base: readText(bytes, base),
    quote: readText(bytes, quote),
    day: readDay(bytes, date),
    rate: bytes.readDoubleBE(rate),
    recordedAt: readInstant(bytes, recordedAt),
    replacedAt: readInstant(bytes, replacedAt),
    isLeftOut: bytes[leftOut] === 1,
  };
}

export type ReadFigures = (
  selection: FigureSelection,
  figure: (figure: PublishedFigure) => void,
) => Promise<void>;

/** Every figure that a provider published, including replaced ones, by quote, base, day and recording instant. */
export async function eachFigure(
  view: Transaction,
  selection: FigureSelection,
  figure: (figure: PublishedFigure) => void,
): Promise<void> {
  await copyOut(view, statement(selection), (bytes, offsets) => figure(readFigure(bytes, offsets)));
}

function statement({ provider, bases, quotes, from, to, knownAt }: FigureSelection): Sql {
  const instant = new Date(knownAt);
  const conditions = [
    ...rowConditions({ providers: [provider], ...filterOfDays({ from, to }) }),
    quotes && sql`quote = any(${arrayOf(quotes)}::varchar[])`,
  ];
  const selected = sql`
    base = any(${arrayOf(bases)}::varchar[]) and recorded_at <= ${instant} and ${shownCondition()} ${and(conditions)}`;
  // A replacement after the instant was not known at the instant.
  return sql`
    select quote, base, date, rate, recorded_at, replaced_at, exists (
      select from suspects
      where suspects.provider = figure.provider and suspects.date = figure.date and suspects.base = figure.base
        and suspects.quote = figure.quote and suspects.rate = figure.rate and ${leftOutAt(knownAt)})
    from (
      select provider, quote, base, date, rate, recorded_at, 'epoch'::timestamptz as replaced_at
      from rates where ${selected}
      union all
      select provider, quote, base, date, rate, recorded_at,
        case when replaced_at <= ${instant} then replaced_at else 'epoch' end
      from rate_revisions where ${selected}
    ) as figure
    order by quote, base, date, recorded_at, replaced_at`;
}
