import type { Deviation, ProviderActivity } from '../../core/database/provider-activity.js';
import { type CalendarDate, dayNumber, daysBetween, fromDayNumber } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { ACTIVITY_DAYS } from './activity.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { Say } from './shared/messages.js';
import type { Source, SourceState } from './sources.js';

export function stateChip(state: SourceState, say: Say): Html {
  return html`<span class="chip chip-${state}">${say(`states.${state}.name`)}</span>`;
}

const DAY_WIDTH = 3;
const STRIP_HEIGHT = 20;

/** Ninety days, today at the right, with a bar for each day with rates. Days with few rates are marked. */
export function dayStrip(
  { days = [], incompleteDays = [] }: Partial<ProviderActivity> = {},
  today: CalendarDate,
  { say }: Reader,
): Html {
  const first = dayNumber(today) - ACTIVITY_DAYS + 1;
  const thin = new Set(incompleteDays);
  const bars = (dates: readonly CalendarDate[], height: number) =>
    dates
      .map((date) => dayNumber(date) - first)
      .filter((at) => at >= 0 && at < ACTIVITY_DAYS)
      .map((at) => `M${at * DAY_WIDTH + 1} ${STRIP_HEIGHT}v-${height}`)
      .join('');
  const observed = days.filter((date) => date >= fromDayNumber(first) && date <= today);
  const all = Array.from({ length: ACTIVITY_DAYS }, (_, at) => fromDayNumber(first + at));
  const shown = new Set(observed);
  const none = all.filter((date) => !shown.has(date));
  const some = observed.filter((date) => !thin.has(date));
  const few = observed.filter((date) => thin.has(date));
  const counts = { days: observed.length, all: ACTIVITY_DAYS, few: thin.size };
  const label = say(thin.size > 0 ? 'facts.daysFew' : 'facts.days', counts);
  return html`<svg class="strip" viewBox="0 0 ${ACTIVITY_DAYS * DAY_WIDTH} ${STRIP_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><path class="none" d="${bars(none, 4)}"/><path class="some" d="${bars(some, STRIP_HEIGHT)}"/><path class="few" d="${bars(few, STRIP_HEIGHT / 2)}"/></svg>`;
}

/** The scale of deviations ends here, and is logarithmic: 0.001 % at the left. */
export const DEVIATION_SCALE = [1e-5, 0.1] as const;
const [SMALLEST, LARGEST] = DEVIATION_SCALE;
const SCALE_WIDTH = 100;

/** A bar to the median, a thin line to the distance of nine in ten rates. */
export function deviationChart({ median, most }: Deviation, { formats, say }: Reader): Html {
  const at = (share: number) => {
    const bounded = Math.min(LARGEST, Math.max(SMALLEST, share));
    return ((Math.log(bounded / SMALLEST) / Math.log(LARGEST / SMALLEST)) * SCALE_WIDTH).toFixed(1);
  };
  const label = say('facts.deviation', { median: formats.percent(median), most: formats.percent(most) });
  return html`<svg class="deviation" viewBox="0 0 ${SCALE_WIDTH} 12" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><path class="scale" d="M25 0v12M50 0v12M75 0v12"/><path class="most" d="M0 6H${at(most)}"/><path class="median" d="M0 6H${at(median)}"/></svg>`;
}

export function notesOn(
  { provider: { key, publishes_missed: missed, last_success_at: lastRead }, lately, state }: Source,
  today: CalendarDate,
  { formats, say }: Reader,
): string[] {
  const { heldSuspects = 0, incompleteDays = [], backfilledTo = null, shippedTo = null } = lately ?? {};
  const backfill = backfillShare(backfilledTo, providerOf(key)?.coverage_start ?? null, today);
  const notes = [
    state === 'late' && missed !== null && say('facts.missed', { count: missed }),
    shippedTo !== null && lastRead === null && say('facts.shipped', { day: formats.date(shippedTo) }),
    heldSuspects > 0 && say('facts.held', { count: heldSuspects }),
    incompleteDays.length > 0 && say('facts.thin', { count: incompleteDays.length }),
    backfill !== undefined &&
      say('facts.history', { share: formats.percent(Math.floor(backfill * 100) / 100) }),
  ];
  return notes.filter((note) => typeof note === 'string');
}

/** Undefined if the history is complete or unknown. */
function backfillShare(
  backfilledTo: CalendarDate | null,
  coverageStart: CalendarDate | null,
  today: CalendarDate,
): number | undefined {
  if (backfilledTo === null || coverageStart === null || backfilledTo <= coverageStart) return undefined;
  return daysBetween(backfilledTo, today) / Math.max(1, daysBetween(coverageStart, today));
}
