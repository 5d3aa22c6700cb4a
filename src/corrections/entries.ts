import { hash } from 'node:crypto';
import type { Revision } from '../../core/database/revisions.js';
import type { ListedSuspect } from '../../core/database/suspects.js';
import type { SuspectStatus } from '../../core/domain/blend/suspect.js';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import type { AtomEntry } from './atom.js';

type Correction = [Revision, ...Revision[]];

const REASONS = {
  source: 'The source has published other figures.',
  reading: 'Almanac reads the pages of the source better than before.',
  unknown: 'Why was not recorded.',
};

const OUTCOMES: Readonly<Record<SuspectStatus, string>> = {
  held: 'It is left out of the blend until another source or later rates agree, or an operator accepts it.',
  confirmed: 'Another source or later rates have agreed: it is part of the blend.',
  accepted: 'An operator has accepted it: it is part of the blend.',
  rejected: 'An operator has rejected it: it stays out of the blend.',
  corrected: 'The source has replaced it.',
};

const MOST_NAMED = 5;

/** One entry for rates of a source replaced at once. If not `isWhole`, the oldest may lack rates and is left out. */
export function correctionEntries(
  revisions: readonly Revision[],
  isWhole: boolean,
  origin: string,
): AtomEntry[] {
  const byKey = new Map<string, Correction>();
  for (const revision of revisions) {
    const { provider, replacedAt, cause } = revision;
    const key = [provider, replacedAt.toISOString(), cause].join();
    const known = byKey.get(key);
    if (known) known.push(revision);
    else byKey.set(key, [revision]);
  }
  const corrections = [...byKey.values()];
  const known = isWhole || corrections.length < 2 ? corrections : corrections.slice(0, -1);
  return known.map((correction) => correctionEntry(correction, origin));
}

function correctionEntry(correction: Correction, origin: string): AtomEntry {
  const [{ provider, replacedAt, cause }] = correction;
  const dates = correction.map(({ date }) => date).sort();
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const named = correction
    .slice(0, MOST_NAMED)
    .map(
      ({ date, base, quote, was, rate }) =>
        `${date} ${base}/${quote}: ${plainDecimal(was)} became ${plainDecimal(rate)}.`,
    );
  const others = correction.length - named.length;
  const instant = replacedAt.toISOString();
  return {
    id: uuidOf('correction', provider, instant, cause ?? ''),
    title: `${provider} corrected ${countOf(correction.length)} of ${first === last ? first : `${first} to ${last}`}`,
    summary: [...named, others > 0 ? `And ${others} more.` : '', REASONS[cause ?? 'unknown']]
      .join(' ')
      .trim(),
    updated: replacedAt,
    href: `${origin}/v2/revisions?${new URLSearchParams({ providers: provider, since: instant, until: instant })}`,
  };
}

function countOf(rates: number): string {
  return rates === 1 ? '1 rate' : `${rates} rates`;
}

/** The entry changes once the decision is made. */
export function suspectEntry(suspect: ListedSuspect, origin: string): AtomEntry {
  const { id, provider, date, base, quote, rate, expected, status, suspectedAt, resolvedAt } = suspect;
  const query = new URLSearchParams({ providers: provider, from: date, to: date, quotes: quote });
  return {
    id: uuidOf('suspect', id),
    title: `${provider}'s ${base}/${quote} of ${date} was held back: ${plainDecimal(rate)} where about ${plainDecimal(expected)} was expected`,
    summary: OUTCOMES[status],
    updated: resolvedAt ?? suspectedAt,
    href: `${origin}/v2/suspects?${query}`,
  };
}

/** Creates a name-based UUID (RFC 9562, version 8): the same for the same parts, on every host. */
function uuidOf(...parts: readonly string[]): string {
  const digest = hash('sha256', parts.join('\n'));
  const part = (from: number, to: number) => digest.slice(from, to);
  return `urn:uuid:${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}
