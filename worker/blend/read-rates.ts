import type pg from 'pg';
import { copyOut, readDatedDoubles, readText } from '../../core/database/copy-out.js';
import { type CarriedRows, type Series, seriesOf } from '../../core/domain/blend/carry-forward.js';
import type { CalendarDate } from '../../core/domain/dates.js';

/** A rate of one day, told to the series that carries it. */
export interface Observation {
  series: Series;
  rate: number;
}

/**
 * Reads the rates of a window, both ends included, by day number in ascending order. Each pair comes with all its
 * days at once: COPY sends a message for every row, and most of the time would go into those.
 */
export async function readRates(
  client: pg.PoolClient,
  window: { from: CalendarDate; to: CalendarDate },
  carried: CarriedRows,
): Promise<[day: number, observations: Observation[]][]> {
  const days = new Map<number, Observation[]>();
  await copyOut(
    client,
    `select provider, base, quote, array_agg(date), array_agg(rate) from rates
     where date between ${client.escapeLiteral(window.from)} and ${client.escapeLiteral(window.to)}
     group by provider, base, quote`,
    (bytes, [provider = 0, base = 0, quote = 0, dates = 0, rates = 0]) => {
      const series = seriesOf(
        carried,
        readText(bytes, provider),
        readText(bytes, base),
        readText(bytes, quote),
      );
      readDatedDoubles(bytes, dates, rates, (day, rate) => {
        const observation = { series, rate };
        const observations = days.get(day);
        if (observations) observations.push(observation);
        else days.set(day, [observation]);
      });
    },
  );
  return [...days].sort(([one], [other]) => one - other);
}
