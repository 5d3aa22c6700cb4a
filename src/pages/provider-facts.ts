import type { Deviation, ProviderActivity } from '../../core/database/provider-activity.js';
import { type CalendarDate, dayNumber, daysBetween, fromDayNumber } from '../../core/domain/dates.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS } from './activity.js';

import { type Html, html } from './html.js';
import { plainError } from './plain-error.js';
import type { Formats } from './shared/format.js';

export type ProviderStatus = ListedProvider['status'];

/** What the states of providers are called, and what they mean, most urgent first. */
export const STATES: Readonly<Record<ProviderStatus, { name: string; summary: string; sentence: string }>> = {
  failing: { name: 'Failing', summary: 'failing', sentence: 'The last attempt to read it failed.' },
  late: {
    name: 'Late',
    summary: 'late',
    sentence: 'It is read, but rates that should be there are missing.',
  },
  pending: { name: 'Waiting', summary: 'waiting', sentence: 'Nothing has arrived yet.' },
  needs_key: {
    name: 'Needs a key',
    summary: 'without a key',
    sentence: 'It is not read without a key of its publisher.',
  },
  fresh: { name: 'Fresh', summary: 'fresh', sentence: 'Its newest rates are here.' },
  archive: { name: 'Archive', summary: 'archived', sentence: 'It is complete, and publishes no more.' },
};

export function stateChip(status: ProviderStatus): Html {
  return html`<span class="chip chip-${status}">${STATES[status].name}</span>`;
}

const DAY_WIDTH = 3;
const STRIP_HEIGHT = 20;

/** A strip of the last ninety days, today at the right: a bar for each day with rates, marked where these were few. */
export function dayStrip(
  { days, thinDays }: Pick<ProviderActivity, 'days' | 'thinDays'>,
  today: CalendarDate,
): Html {
  const first = dayNumber(today) - ACTIVITY_DAYS + 1;
  const thin = new Set(thinDays);
  const bars = (dates: readonly CalendarDate[], height: number) =>
    dates
      .map((date) => dayNumber(date) - first)
      .filter((at) => at >= 0 && at < ACTIVITY_DAYS)
      .map((at) => `M${at * DAY_WIDTH + 1} ${STRIP_HEIGHT}v-${height}`)
      .join('');
  const observed = days.filter((date) => date >= fromDayNumber(first) && date <= today);
  const all = Array.from({ length: ACTIVITY_DAYS }, (_, at) => fromDayNumber(first + at));
  const shown = new Set(observed);
  const label = `Rates on ${observed.length} of the last ${ACTIVITY_DAYS} days${thin.size > 0 ? `, on ${thin.size} of them few` : ''}`;
  return html`<svg class="strip" viewBox="0 0 ${ACTIVITY_DAYS * DAY_WIDTH} ${STRIP_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><path class="none" d="${bars(
    all.filter((date) => !shown.has(date)),
    4,
  )}"/><path class="some" d="${bars(
    observed.filter((date) => !thin.has(date)),
    STRIP_HEIGHT,
  )}"/><path class="few" d="${bars(
    observed.filter((date) => thin.has(date)),
    STRIP_HEIGHT / 2,
  )}"/></svg>`;
}

/** The scale of deviations ends here, and is logarithmic: 0.001 % at the left. */
const [SMALLEST, LARGEST] = [1e-5, 0.1];
const SCALE_WIDTH = 100;

/** How far a provider is from the others: a bar to the median, a thin line to what nine of ten rates keep within. */
export function deviationChart({ median, most }: Deviation, formats: Formats): Html {
  const at = (share: number) => {
    const bounded = Math.min(LARGEST, Math.max(SMALLEST, share));
    return ((Math.log(bounded / SMALLEST) / Math.log(LARGEST / SMALLEST)) * SCALE_WIDTH).toFixed(1);
  };
  const label = `Half of its rates are within ${formats.percent(median)} of the blend, nine of ten within ${formats.percent(most)}`;
  return html`<svg class="deviation" viewBox="0 0 ${SCALE_WIDTH} 12" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><path class="scale" d="M25 0v12M50 0v12M75 0v12"/><path class="most" d="M0 6H${at(most)}"/><path class="median" d="M0 6H${at(median)}"/></svg>`;
}

interface NotesOptions {
  lately: ProviderActivity | undefined;
  lastError: string | null;
  /** The first day that the provider has published rates of, as far as is known. */
  coverageStart: CalendarDate | null;
  today: CalendarDate;
  formats: Formats;
}

/** What a reader should know of a provider beside its state, in plain words; the last error first. */
export function notesOn(
  { publishes_missed: missed, status }: ListedProvider,
  { lately, lastError, coverageStart, today, formats }: NotesOptions,
): string[] {
  const { heldSuspects = 0, thinDays = [], backfilledTo = null } = lately ?? {};
  const backfill = backfillShare(backfilledTo, coverageStart, today);
  const some = (count: number, one: string, many: string) =>
    `${formats.count(count)} ${count === 1 ? one : many}`;
  const notes = [
    plainError(lastError),
    status === 'late' && missed !== null && some(missed, 'publish missing', 'publishes missing'),
    heldSuspects > 0 && some(heldSuspects, 'rate held back as suspect', 'rates held back as suspect'),
    thinDays.length > 0 && some(thinDays.length, 'day with few currencies', 'days with few currencies'),
    backfill !== undefined && `history ${formats.percent(Math.floor(backfill * 100) / 100)} read`,
  ];
  return notes.filter((note) => typeof note === 'string');
}

/** How much of a provider's history has been read; undefined where it is complete or can't be told. */
function backfillShare(
  backfilledTo: CalendarDate | null,
  coverageStart: CalendarDate | null,
  today: CalendarDate,
): number | undefined {
  if (backfilledTo === null || coverageStart === null || backfilledTo <= coverageStart) return undefined;
  return daysBetween(backfilledTo, today) / Math.max(1, daysBetween(coverageStart, today));
}
