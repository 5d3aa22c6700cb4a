import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { isCurrency } from '../../core/domain/currencies.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { changePrices, type Sides } from '../../core/domain/sides.js';

type Row = Omit<RawRow, 'provider'> & Sides;

/** The actual meaning of a code that a bank prints on some days. */
interface Era {
  feed: string;
  printed: string;
  /** The actual code; absent if only the units differ. */
  code?: string;
  /** First day, included. Default: unbounded. */
  from?: CalendarDate;
  /** First day on which it no longer applies. Default: unbounded. */
  until?: CalendarDate;
  /** The actual number of units of the price, where the bank states `said`. */
  units?: number;
  said?: number;
  /** Applies only if the price of one unit, as the bank states it, is above or below this. */
  above?: number;
  below?: number;
  dropped?: string;
}

const RUBLE_COPY = "a copy of the ruble's quote";
const ASTRAY = 'a figure that strays from the market by many times';

/**
 * Codes and units that banks print wrong in their archives, by feed. The first match applies. Rows that are dropped anyway
 * are not listed: codes that are not currencies (AMCM's LIQ, BOI's CBK_L, CNB's XCU, LB's GER, RBM's CMD, NBRM's XBA for a
 * second euro), and currencies that are printed past their end (BDI's BGL, MZM and VEB, NBKR's BYR). BNA's STD and VEF have
 * the figures of STN and VES; its sheet and expectation pass them on unchanged, so they are dropped too.
 */
const ERAS: readonly Era[] = [
  { feed: 'AMCM', printed: 'ECU', code: 'XEU' },

  // A new ouguiya costs about 0.25 dirhams, an old one a tenth of that. The old one was still printed after the change.
  { feed: 'BAM', printed: 'MRO', from: '2018-01-01', above: 10, code: 'MRU', units: 100, said: 1 },
  { feed: 'BAM', printed: 'MRO', above: 1, units: 100, said: 1 },
  { feed: 'BAM', printed: 'MRO', from: '2018-01-01', above: 0.1, code: 'MRU' },

  { feed: 'BCCH', printed: 'BRL', until: '1994-07-01', code: 'BRR' },

  { feed: 'BDI', printed: 'AFN', until: '2004-04-01', code: 'AFA' },
  { feed: 'BDI', printed: 'ZWD', from: '2009-02-03', code: 'ZWL' },
  { feed: 'BDI', printed: 'ZWD', from: '2008-08-01', code: 'ZWR' },

  { feed: 'BNA', printed: 'MZM', from: '2006-07-01', code: 'MZN' },

  { feed: 'BNM', printed: 'SDR', code: 'XDR' },

  // Until June 2018 the bank printed the old ouguiya, at about 0.4 dinars. A new one costs ten times as much.
  { feed: 'BOA', printed: 'MRO', from: '2018-01-01', above: 1, code: 'MRU' },

  { feed: 'BOI', printed: 'BEL', above: 0.5, code: 'BEF', units: 10, said: 1 },
  { feed: 'BOI', printed: 'BEL', code: 'BEF' },
  { feed: 'BOI', printed: 'ATS', above: 1, units: 10, said: 1 },
  { feed: 'BOI', printed: 'ESP', above: 0.5, units: 100, said: 1 },
  { feed: 'BOI', printed: 'ITL', above: 0.5, units: 1000, said: 1 },

  { feed: 'BOTA', printed: 'SDR', code: 'XDR' },
  { feed: 'BOTA', printed: 'MXM', code: 'MZM' },
  { feed: 'BOTA', printed: 'ZMK', from: '2013-01-01', code: 'ZMW' },

  { feed: 'CBA', printed: 'TJS', until: '2000-11-01', code: 'TJR', units: 100, said: 10 },
  { feed: 'CBA', printed: 'KZT', until: '2005-01-04', units: 10, said: 1 },
  { feed: 'CBA', printed: 'BYN', until: '2016-07-01', code: 'BYR' },
  { feed: 'CBA', printed: 'BYR', from: '2016-10-25', until: '2016-10-28', code: 'BYN', units: 1, said: 10 },
  { feed: 'CBA', printed: 'ARP', code: 'ARS' },
  { feed: 'CBA', printed: 'BGL', from: '1999-07-05', code: 'BGN' },
  { feed: 'CBA', printed: 'BRC', code: 'BRL' },
  { feed: 'CBA', printed: 'ISK', until: '2015-03-09', units: 10, said: 1 },
  { feed: 'CBA', printed: 'PLZ', code: 'PLN' },
  { feed: 'CBA', printed: 'RON', until: '2005-10-01', dropped: ASTRAY },
  { feed: 'CBA', printed: 'SDR', code: 'XDR' },
  { feed: 'CBA', printed: 'TMT', until: '2010-04-01', dropped: ASTRAY },
  { feed: 'CBA', printed: 'USM', code: 'UZS', units: 10, said: 1 },

  { feed: 'CBG', printed: 'SLL', from: '2022-07-12', code: 'SLE' },

  { feed: 'CBR', printed: 'TJS', until: '2000-10-30', code: 'TJR' },

  { feed: 'CBU', printed: 'SDR', code: 'XDR' },
  { feed: 'CBU', printed: 'TRL', from: '2005-01-04', code: 'TRY' },
  { feed: 'CBU', printed: 'RUB', until: '1998-01-06', code: 'RUR' },

  { feed: 'CNB', printed: 'BEC', until: '1991-01-25', code: 'BEF' },
  { feed: 'CNB', printed: 'YUD', from: '1991-01-01', until: '1991-02-01', code: 'YUN' },

  // An old manat costs a fraction of a cent, so a price of several litas is not that of an old manat.
  { feed: 'LB', printed: 'AZN', until: '2006-01-09', below: 0.01, code: 'AZM' },
  { feed: 'LB', printed: 'TMT', until: '1995-11-30', dropped: RUBLE_COPY },
  { feed: 'LB', printed: 'TMM', until: '1995-11-30', dropped: RUBLE_COPY },
  { feed: 'LB', printed: 'TMT', until: '2009-01-01', below: 0.01, code: 'TMM' },
  { feed: 'LB', printed: 'PLN', until: '1995-01-03', code: 'PLZ' },
  { feed: 'LB', printed: 'RUB', until: '1998-01-05', code: 'RUR' },
  { feed: 'LB', printed: 'BGN', until: '1999-07-07', code: 'BGL' },
  { feed: 'LB', printed: 'RON', until: '2005-07-04', code: 'ROL' },
  { feed: 'LB', printed: 'MZN', until: '2006-07-10', code: 'MZM' },
  { feed: 'LB', printed: 'BYR', until: '1994-08-20', code: 'BYB', units: 10, said: 100 },
  { feed: 'LB', printed: 'BYR', until: '2000-01-01', code: 'BYB' },
  { feed: 'LB', printed: 'YUN', until: '1998-07-07', code: 'YUM' },
  { feed: 'LB', printed: 'TJR', until: '1995-07-11', dropped: RUBLE_COPY },

  { feed: 'NBK', printed: 'BYN', until: '2000-01-01', code: 'BYB' },
  { feed: 'NBK', printed: 'BYN', until: '2016-07-04', code: 'BYR' },
  { feed: 'NBK', printed: 'BYR', until: '2000-01-01', code: 'BYB' },

  { feed: 'NBP', printed: 'AON', code: 'AOA' },
  { feed: 'NBP', printed: 'BYB', code: 'BYR' },
  { feed: 'NBP', printed: 'AFA', from: '2003-01-07', code: 'AFN' },
  { feed: 'NBP', printed: 'ZWR', from: '2009-02-25', code: 'ZWL' },

  { feed: 'NBRM', printed: 'XBA', until: '1999-01-01', code: 'XEU' },

  { feed: 'NBU', printed: 'RUR', from: '1998-01-01', code: 'RUB' },
  { feed: 'NBU', printed: 'BGL', from: '2000-01-01', code: 'BGN', units: 100, said: 1000 },
  { feed: 'NBU', printed: 'BGL', from: '1999-08-01', code: 'BGN' },
  { feed: 'NBU', printed: 'TRL', from: '2005-01-06', code: 'TRY', units: 100, said: 10000 },
  { feed: 'NBU', printed: 'ROL', from: '2005-07-01', code: 'RON', units: 100, said: 10000 },
  { feed: 'NBU', printed: 'AZM', from: '2006-01-06', code: 'AZN', units: 100, said: 10000 },
  { feed: 'NBU', printed: 'TMM', from: '2009-01-06', code: 'TMT', units: 100, said: 10000 },
  { feed: 'NBU', printed: 'TJS', until: '2000-10-30', code: 'TJR' },
  { feed: 'NBU', printed: 'ZAL', from: '2000-11-01', until: '2002-11-02', code: 'TJS' },

  { feed: 'RB', printed: 'RUB', until: '1998-01-01', code: 'RUR' },
  { feed: 'RB', printed: 'EUR', until: '1999-01-04', code: 'XEU' },

  { feed: 'RBA', printed: 'SDR', code: 'XDR' },
  { feed: 'RBM', printed: 'SDR', code: 'XDR' },

  { feed: 'SARB', printed: 'ZMW', until: '2013-01-01', code: 'ZMK' },
];

const byFeed = groupBy(ERAS, ({ feed }) => feed);

const meaningful = new Set(ERAS.flatMap(({ printed, code }) => (code === undefined ? [] : printed)));

/** Whether a code is that of a currency, or is printed by a bank for one. */
export function isCodeOfCurrency(code: string): boolean {
  return isCurrency(code) || meaningful.has(code);
}

/** A row in the codes that were in use and for one unit, or why to drop it. The row itself if it needs no change. */
export function normalizeCode(feed: string, row: Row): Row | { dropped: string } {
  const eras = byFeed.get(feed);
  if (!eras) return row;
  const { date, base, quote, rate } = row;
  const ofBase = eras.find((era) => applies(era, base, date, rate));
  const ofQuote = eras.find((era) => applies(era, quote, date, 1 / rate));
  const dropped = ofBase?.dropped ?? ofQuote?.dropped;
  if (dropped !== undefined) return { dropped };
  if (!ofBase && !ofQuote) return row;
  return {
    date,
    base: ofBase?.code ?? base,
    quote: ofQuote?.code ?? quote,
    ...changePrices(row, (price) => (price * tooMany(ofBase)) / tooMany(ofQuote)),
  };
}

/** The factor by which the divisor of the price was too large. */
function tooMany({ units = 1, said = 1 }: Partial<Era> = {}): number {
  return said / units;
}

function applies(
  { printed, from, until, above, below }: Era,
  code: string,
  date: CalendarDate,
  price: number,
): boolean {
  return (
    printed === code &&
    (from === undefined || date >= from) &&
    (until === undefined || date < until) &&
    (above === undefined || price > above) &&
    (below === undefined || price < below)
  );
}
