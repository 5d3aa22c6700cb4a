import { type ListedSuspect, readSuspects } from '../../../core/database/suspects.js';
import { SUSPECT_STATUSES, type SuspectStatus } from '../../../core/domain/blend/suspect.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { type Html, html } from '../../pages/shared/html.js';
import { SUSPECT_ID } from '../admin/requests.js';
import { english } from './english.js';
import type { ConsoleDependencies, OperatorRequest } from './errand.js';
import type { ConsolePage } from './frame.js';

const { formats } = english;

const PAGE = 50;

export const REASONS: Record<SuspicionReason, string> = {
  factor_of_ten: 'A power of ten off',
  inverted: 'Looks inverted',
  swapped: 'Looks like the rate of another currency',
  jump: 'Far from its last rate',
  apart: 'First of its pair, and far from other sources',
};

const STATUSES: Record<SuspectStatus, { label: string; look: string }> = {
  held: { label: 'Held back', look: 'chip-late' },
  confirmed: { label: 'Confirmed', look: 'chip-fresh' },
  accepted: { label: 'Accepted', look: 'chip-fresh' },
  rejected: { label: 'Rejected', look: 'chip-failing' },
  corrected: { label: 'Corrected', look: '' },
};

/** The questions, newest first: a rate, or the table of a source whose own currency moved. */
export async function suspectsPage(
  { database }: Pick<ConsoleDependencies, 'database'>,
  { query }: OperatorRequest,
): Promise<ConsolePage> {
  const [status, provider] = [query.get('status') ?? 'held', query.get('provider')?.toUpperCase() ?? ''];
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !SUSPECT_ID.test(before))
    throw new HttpError(422, 'before must be the id of a suspect');
  const statuses = SUSPECT_STATUSES.filter((one) => status === 'all' || status === one);
  const filter = { statuses, providers: provider === '' ? undefined : [provider], before };
  const found = await readSuspects(database, filter, PAGE).catch(databaseUnavailable);
  const older = new URLSearchParams({ status, provider, before: found.at(-1)?.id ?? '' });
  return {
    title: 'Suspects',
    body: html`<h1>Suspects</h1>
<p class="hint">Rates that are far from what their source and other sources gave before. The blend leaves them out until other rates confirm them, or you decide.</p>
<form class="filters" method="get" role="search">
<label>Status <select name="status">${['all', ...SUSPECT_STATUSES].map((one) => html`<option value="${one}"${one === status && html` selected`}>${one === 'all' ? 'All' : STATUSES[one as SuspectStatus].label}</option>`)}</select></label>
<label>Source <input name="provider" type="search" value="${provider}" placeholder="Key, such as ECB" size="16"></label>
<button class="primary">Show</button></form>
<div class="card scroll" id="suspects" data-live>${found.length === 0 ? html`<p class="empty">No suspect matches.</p>` : table(found)}</div>
${found.length === PAGE && html`<p><a class="button" href="?${String(older)}">Older</a></p>`}`,
  };
}

function table(found: readonly ListedSuspect[]): Html {
  const lines = found.map((suspect) => {
    const { id, provider, date, rate, expected, reason, status } = suspect;
    return html`<tr><th scope="row"><a href="/admin/suspects/${id}">${questionOf(suspect)}</a> <small>${provider}</small></th>
<td class="date">${formats.shortDate(date)}</td><td>${REASONS[reason]}</td><td>${statusChip(status)}</td><td class="number" data-label="Published">${formats.shown(rate)}</td><td class="number" data-label="Expected">${formats.rate(expected)}</td><td class="number" data-label="Difference">${differenceOf(rate, expected)}</td></tr>`;
  });
  return html`<table class="stacked"><thead><tr><th scope="col">Rate</th><th scope="col">Day</th><th scope="col">Why</th><th scope="col">Status</th><th scope="col" class="number">Published</th><th scope="col" class="number">Expected</th><th scope="col" class="number">Difference</th></tr></thead><tbody>${lines}</tbody></table>`;
}

/** Such as "USD/NGN" or "ISK, 12 rates". */
export function questionOf({ base, quote, rates }: ListedSuspect): string {
  return rates === 1 ? `${base}/${quote}` : `${quote === 'USD' ? base : quote}, ${rates} rates`;
}

export function statusChip(status: SuspectStatus): Html {
  const { label, look } = STATUSES[status];
  return html`<span class="chip ${look}">${label}</span>`;
}

/** Such as "+40.00%"; "× 12.5" or "÷ 12.5" for more than a factor of two. */
export function differenceOf(rate: number, expected: number): string {
  if (rate > 2 * expected) return `× ${formats.decimal((rate / expected).toPrecision(3))}`;
  if (expected > 2 * rate) return `÷ ${formats.decimal((expected / rate).toPrecision(3))}`;
  return formats.change(rate / expected - 1);
}
