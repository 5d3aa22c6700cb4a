import { type CalendarDate, daysBetween } from '../../core/domain/dates.js';
import { isNeedsKeyError } from '../../core/domain/provider-status.js';
import { providerOf } from '../../core/domain/providers.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { MessageKey, Say } from './shared/messages.js';
import { needsAttention, type Source, type SourceState } from './sources.js';

export function stateChip(state: SourceState, say: Say): Html {
  return html`<span class="chip chip-${state}">${say(`states.${state}.name`)}</span>`;
}

/** An instant in UTC, and how long before or after now that is. */
export function instant(iso: string, now: Date, { formats }: Reader): Html {
  const away = formats.away(new Date(iso).getTime() - now.getTime());
  return html`<time datetime="${iso}">${formats.instant(iso)} <small>(${away})</small></time>`;
}

/** Why a source can't be read or is late; undefined for others. */
export function causeOf(source: Source, say: Say): string | undefined {
  const error = plainError(source.lastError, say);
  return needsAttention(source) ? (error ?? say(`states.${source.state}.sentence`)) : error;
}

/** How many rates a source has published that are missing. */
export function missedNote(source: Source, say: Say): string | false {
  const count = source.provider.publishes_missed ?? 0;
  return isMissing(source) && count > 0 && say('facts.missed', { count });
}

/** Missed publishes of a source in another state are expected, or need a key. One that can't be read keeps its own state. */
export function isMissing({ state, provider }: Source): boolean {
  const own = state === 'unread' ? provider.status : state;
  return own === 'failing' || own === 'late';
}

export function notesOn(source: Source, today: CalendarDate, { formats, say }: Reader): string[] {
  const { provider, lately } = source;
  const { heldSuspects = 0, incompleteDays = [], backfilledTo = null } = lately ?? {};
  const start = providerOf(provider.key)?.coverage_start ?? null;
  const isPart = backfilledTo !== null && start !== null && backfilledTo > start;
  const read = isPart ? daysBetween(backfilledTo, today) / daysBetween(start, today) : 1;
  return [
    missedNote(source, say),
    heldSuspects > 0 && say('facts.held', { count: heldSuspects }),
    incompleteDays.length > 0 && say('facts.thin', { count: incompleteDays.length }),
    isPart && say('facts.history', { share: formats.percent(Math.floor(read * 100) / 100) }),
  ].filter((note) => typeof note === 'string');
}

/** The most specific first. */
const MEANINGS: readonly (readonly [RegExp, MessageKey])[] = [
  [
    /(refused|rejected|invalid).*(key|credential|token)|(key|credential|token).*(refused|rejected|invalid)|\b401\b/i,
    'failures.keyRefused',
  ],
  [/\b403\b|blocked|captcha|forbidden/i, 'failures.refused'],
  [/\b404\b|\b410\b|not found/i, 'failures.gone'],
  [/\b429\b|too many requests/i, 'failures.tooMany'],
  [/\b5\d\d\b/, 'failures.ownError'],
  [/time(d)? ?out|took (too long|longer)|abort/i, 'failures.timeout'],
  [/certificate|tls|ssl/i, 'failures.certificate'],
  [/ENOTFOUND|EAI_AGAIN|ECONN|EHOST|ENET|socket|network|fetch failed|unreachable/i, 'failures.unreachable'],
  [/database|postgres|deadlock|transaction/i, 'failures.notStored'],
];

/** The error's own text is only for operators, as it may quote the response of a source. */
export function plainError(lastError: string | null, say: Say): string | undefined {
  if (lastError === null) return undefined;
  if (isNeedsKeyError(lastError)) return say('failures.needsKey');
  return say(MEANINGS.find(([pattern]) => pattern.test(lastError))?.[1] ?? 'failures.unreadable');
}
