import { plainError } from './plain-error.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { needsAttention, type Source } from './sources.js';

/** The sources that need attention, grouped by what ails them, the largest group first. Undefined if there are none. */
export function causes(sources: readonly Source[], reader: Reader): Html | undefined {
  const groups = new Map<string, Source[]>();
  for (const source of sources.filter(needsAttention)) {
    const cause = causeOf(source, reader);
    groups.set(cause, [...(groups.get(cause) ?? []), source]);
  }
  if (groups.size === 0) return undefined;
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length);
  return html`<section class="card causes">${sorted.map(([cause, group]) => causeLine(cause, group, reader))}</section>`;
}

function causeOf({ state, lastError }: Source, { say }: Reader): string {
  return (state === 'failing' && plainError(lastError, say)) || say(`states.${state}.sentence`);
}

function causeLine(cause: string, group: readonly Source[], { formats, say }: Reader): Html {
  const [only, other] = group;
  if (only && !other)
    return html`<p><a href="/provider/${only.provider.key}">${only.provider.name}</a> <small>${cause}</small></p>`;
  const lines = group.map(({ provider: { key, name, end_date: newest } }) => {
    const day = newest === null ? undefined : html`<small>${formats.shortDate(newest)}</small>`;
    return html`<li><a href="/provider/${key}">${name}</a> ${day}</li>`;
  });
  return html`<details><summary>${say('status.cause', { count: group.length, cause })}</summary><ul class="links with-names">${lines}</ul></details>`;
}
