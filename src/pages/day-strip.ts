import { dayOf, fromDayNumber } from '../../core/domain/dates.js';
import { missedDays } from '../../core/domain/publish-schedule.js';
import { ACTIVITY_DAYS } from './activity.js';
import { isMissing, missedNote } from './provider-facts.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { Source } from './sources.js';

/** What a day brought from a source. The bars of a day stand on one another in this order. */
const KINDS = ['some', 'few', 'missed', 'none'] as const;

type Kind = (typeof KINDS)[number];

/** The heights of the bars of a day. */
type Bars = Readonly<Partial<Record<Kind, number>>>;

const HEIGHT = 20;
const BARS = { some: HEIGHT, few: HEIGHT / 2, missed: HEIGHT, none: 2 };
const DAY_WIDTH = 3;

/** The last ninety days of a source, today at the right, with a bar for each. `stripKey` explains the bars. */
export function dayStrip(source: Source, now: Date, reader: Reader): Html {
  const { say } = reader;
  const kinds = kindsOf(source, now);
  const [some, few] = [countOf('some', kinds), countOf('few', kinds)];
  const counts = { days: some + few, all: ACTIVITY_DAYS, few };
  const said = [say(few > 0 ? 'facts.daysFew' : 'facts.days', counts), missedNote(source, say)];
  const days = kinds.map((kind) => ({ [kind]: BARS[kind] }));
  return strip(days, HEIGHT, said.filter(Boolean).join('. '), now, reader);
}

/** What the bars of `dayStrip` are. */
export function stripKey({ say }: Reader): Html {
  return html`<p class="strip-key">${KINDS.map((kind) => html`<span class="${kind}">${say(`strip.${kind}`)}</span>`)}</p>`;
}

function kindsOf(source: Source, now: Date): Kind[] {
  const { provider, lately: { days = [], incompleteDays = [] } = {} } = source;
  const first = dayOf(now.getTime()) - ACTIVITY_DAYS + 1;
  const [observed, thin] = [new Set(days), new Set(incompleteDays)];
  const missed = new Set(isMissing(source) ? missedDays(provider, provider.end_date, now) : []);
  return Array.from({ length: ACTIVITY_DAYS }, (_, at) => {
    const date = fromDayNumber(first + at);
    if (!observed.has(date)) return missed.has(first + at) ? 'missed' : 'none';
    return thin.has(date) ? 'few' : 'some';
  });
}

const countOf = (wanted: Kind, kinds: readonly Kind[]) => kinds.filter((kind) => kind === wanted).length;

function strip(days: readonly Bars[], height: number, label: string, now: Date, { formats }: Reader): Html {
  const paths = KINDS.map((kind, index) => {
    const path = days.map((bars, at) => {
      const [own = 0, ...below] = [kind, ...KINDS.slice(0, index)].map((one) => bars[one] ?? 0);
      const bottom = below.reduce((bottom, bar) => bottom - bar, height);
      return own > 0 && `M${at * DAY_WIDTH + 1} ${bottom}v-${own}`;
    });
    return html`<path class="${kind}" d="${path}"/>`;
  });
  const first = fromDayNumber(dayOf(now.getTime()) - ACTIVITY_DAYS + 1);
  return html`<svg class="strip" viewBox="0 0 ${ACTIVITY_DAYS * DAY_WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title>${paths}</svg>
<p class="ends" dir="ltr"><span dir="auto">${formats.day(first)}</span><span dir="auto">${formats.daysAgo(0)}</span></p>`;
}
