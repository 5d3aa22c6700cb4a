import { dayOf, fromDayNumber } from '../../core/domain/dates.js';
import { missedDays } from '../../core/domain/publish-schedule.js';
import { ACTIVITY_DAYS } from './activity.js';
import { isMissing, missedNote } from './provider-facts.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { Source } from './sources.js';

/** What a day may bring from a source. */
const KINDS = ['some', 'few', 'missed', 'none'] as const;
const BAR_HEIGHTS = { some: 20, few: 10, missed: 20, none: 2 };
const DAY_WIDTH = 3;
/** The share of the height by which even one of many sources is seen. */
const LEAST_BAR = 0.03;

/** The last ninety days of a source, today at the right, with a bar for each. `stripKey` says what the bars are. */
export function dayStrip(source: Source, now: Date, reader: Reader): Html {
  const { days = [], incompleteDays = [] } = source.lately ?? {};
  const { say } = reader;
  const few = incompleteDays.length;
  const rates = say(few > 0 ? 'facts.daysFew' : 'facts.days', { days: days.length, all: ACTIVITY_DAYS, few });
  return strip([source], [rates, missedNote(source, say)].filter(Boolean).join('. '), now, reader);
}

/** The same of several sources: each day has their bars on one another, with the sum as the height. */
export function strip(sources: readonly Source[], label: string, now: Date, { formats }: Reader): Html {
  const first = dayOf(now.getTime()) - ACTIVITY_DAYS + 1;
  const kinds = sources.map((source) => kindsOf(source, first, now));
  const height = sources.length * BAR_HEIGHTS.some;
  const paths = { some: '', few: '', missed: '', none: '' };
  for (let at = 0, top = height; at < ACTIVITY_DAYS; at++, top = height)
    for (const kind of KINDS) {
      const count = kinds.filter((own) => own[at] === kind).length;
      const isRare = count > 0 && (kind === 'missed' || kind === 'few');
      const bar = Math.max(count * BAR_HEIGHTS[kind], isRare ? height * LEAST_BAR : 0);
      if (bar > 0) paths[kind] += `M${at * DAY_WIDTH + 1} ${top}v-${bar}`;
      top -= bar;
    }
  return html`<svg class="strip" viewBox="0 0 ${ACTIVITY_DAYS * DAY_WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title>${KINDS.map((kind) => html`<path class="${kind}" d="${paths[kind]}"/>`)}</svg>
<p class="ends" dir="ltr"><span dir="auto">${formats.day(fromDayNumber(first))}</span><span dir="auto">${formats.daysAgo(0)}</span></p>`;
}

export function stripKey({ say }: Reader): Html {
  return html`<p class="strip-key">${KINDS.map((kind) => html`<span class="${kind}">${say(`strip.${kind}`)}</span>`)}</p>`;
}

function kindsOf(source: Source, first: number, now: Date): (typeof KINDS)[number][] {
  const { provider, lately: { days = [], incompleteDays = [] } = {} } = source;
  const [observed, thin] = [new Set(days), new Set(incompleteDays)];
  const missed = new Set(isMissing(source) ? missedDays(provider, provider.end_date, now) : []);
  return Array.from({ length: ACTIVITY_DAYS }, (_, at) => {
    const date = fromDayNumber(first + at);
    if (!observed.has(date)) return missed.has(first + at) ? 'missed' : 'none';
    return thin.has(date) ? 'few' : 'some';
  });
}
