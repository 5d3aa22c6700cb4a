import type { Proposal, Verdict } from '../../../core/database/decisions.js';
import { type DatedRate, readOwnRates } from '../../../core/database/rates-around.js';
import { countSuspects, type ListedSuspect, readSuspects } from '../../../core/database/suspects.js';
import { SUSPECT_STATUSES, type SuspectStatus } from '../../../core/domain/blend/suspect.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { segments } from '../../pages/segments.js';
import { type Html, html } from '../../pages/shared/html.js';
import { sparkline } from '../../pages/shared/line-chart.js';
import { english, formats } from './english.js';
import type { PageMaker } from './errand.js';
import { beforeOf, type Column, chip, PAGE_LENGTH, pager, searchForm, table } from './table.js';

const PATH = '/admin/suspects';

const REASONS: Record<SuspicionReason, string> = {
  factor_of_ten: 'Off by a power of ten',
  inverted: 'Looks inverted',
  swapped: 'Looks like the rate of another currency',
  jump: 'Far from its last rate',
  apart: 'First of its pair, and far from other sources',
};

/** Why a rate is held. What is shown as expected is a rate of the nearest other source, if there is one. */
export const reasonOf = ({ reason, others }: Pick<ListedSuspect, 'reason' | 'others'>): string =>
  reason === 'jump' && others > 0 ? 'Far from its last rate and other sources' : REASONS[reason];

const STATUSES: Record<SuspectStatus, { label: string; look: string }> = {
  held: { label: 'Held back', look: 'chip-late' },
  confirmed: { label: 'Confirmed', look: 'chip-fresh' },
  accepted: { label: 'Accepted', look: 'chip-fresh' },
  rejected: { label: 'Rejected', look: 'chip-failing' },
  corrected: { label: 'Corrected', look: '' },
};

export const VERDICTS: Record<Verdict, { button: string; effect: string }> = {
  accepted: { button: 'Accept', effect: 'The blend will include it.' },
  rejected: { button: 'Reject', effect: 'The blend will leave it out, even if other rates confirm it.' },
  held: { button: 'Take back', effect: 'Almanac will judge it again by its rule, as if nobody had decided.' },
};

/** With the rates of its pair around it, where the list shows them, and whether it can be selected. */
type ShownSuspect = ListedSuspect & { own?: readonly DatedRate[] | undefined; isSelectable?: boolean };

export const SUSPECT_COLUMNS: readonly Column<ShownSuspect>[] = [
  {
    label: 'Suspect',
    of: (suspect) =>
      html`${suspect.isSelectable && html`<input type="checkbox" name="suspect" value="${suspect.id}" aria-label="Select ${suspect.provider} ${questionOf(suspect)}, ${formats.shortDate(suspect.date)}"> `}<small class="key-of">${suspect.provider}</small> <a href="/admin/suspects/${suspect.id}">${questionOf(suspect)}</a>`,
  },
  { label: 'Status', look: 'state', of: ({ status }) => statusChip(status) },
  { label: 'Day', look: 'date', of: ({ date }) => formats.shortDate(date) },
  { label: 'Why', look: 'clipped', of: reasonOf },
  { label: '±60 days', look: 'minor', of: (suspect) => suspect.own && sparkline(suspect.own, suspect) },
  { label: 'Reported', look: 'number', of: ({ rate }) => formats.shown(rate) },
  { label: 'Expected', look: 'number', of: ({ expected }) => formats.rate(expected) },
  { label: 'Difference', look: 'number state', of: ({ rate, expected }) => differenceOf(rate, expected) },
];

/** With the way to a decision on those that are held back. */
const LISTED_COLUMNS: readonly Column<ShownSuspect>[] = [
  ...SUSPECT_COLUMNS,
  {
    label: 'Decision',
    look: 'choices',
    of: ({ id, status }) =>
      status === 'held' && html`${decisionLink(id, 'accepted')} ${decisionLink(id, 'rejected')}`,
  },
];

/** Of suspects that are all held back. */
export const HELD_COLUMNS = LISTED_COLUMNS.filter(({ label }) => label !== 'Status');

/** The page that asks for confirmation. `scope` says which rates the decision is on. */
export function decisionLink(id: string, status: Verdict, scope = '', only?: Proposal['only']): Html {
  const query = new URLSearchParams({ suspect: id, status, ...(only && { only }) });
  return html`<a class="button quiet" href="/admin/decide?${String(query)}">${VERDICTS[status].button}${scope}</a>`;
}

/** What can be decided on a suspect of a status. */
export const VERDICTS_ON: Partial<Record<string, readonly Verdict[]>> = {
  held: ['accepted', 'rejected'],
  confirmed: ['accepted', 'rejected'],
  accepted: ['held', 'rejected'],
  rejected: ['held', 'accepted'],
};

/** The questions, newest days first: a rate, or the table of a source whose own currency moved. */
export const suspectsPage: PageMaker = async ({ database }, { query }) => {
  const [status, about] = [query.get('status') || 'held', query.get('provider')?.toUpperCase() ?? ''];
  if (status !== 'all' && !Object.hasOwn(STATUSES, status))
    throw new HttpError(422, `status must be one of all, ${SUSPECT_STATUSES.join(', ')}`);
  const statuses = SUSPECT_STATUSES.filter((one) => status === 'all' || status === one);
  const rows = about === '' ? {} : providerOf(about) ? { providers: [about] } : { currencies: [about] };
  const filter = { ...rows, statuses, before: beforeOf(query, 'a suspect'), byDay: true };
  const found = await readSuspects(database, filter, PAGE_LENGTH);
  const own = await readOwnRates(database, found);
  const counts = await countSuspects(database, rows);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const links = segments(english, { path: PATH, target: `?${query}`, name: 'status', current: status }, [
    ...SUSPECT_STATUSES.map((one) => [one, STATUSES[one].label, counts[one] ?? 0] as const),
    ['all', 'All', all],
  ]);
  const kept = html`<input type="hidden" name="status" value="${status}">`;
  const form = searchForm('Source or currency', 'provider', about, kept);
  const verdicts = (found.length > 0 && VERDICTS_ON[status]) || [];
  const isSelectable = verdicts.length > 0;
  const shown = found.map((one) => ({ ...one, own: own.get(one.id), isSelectable }));
  const buttons = verdicts.map(
    (verdict) =>
      html`<button class="button quiet" name="status" value="${verdict}">${VERDICTS[verdict].button} selected</button>`,
  );
  return {
    lead: 'Rates far from those before and of other sources. The blend leaves them out until other rates confirm them or you decide.',
    body: html`<div class="sections" id="suspects" data-live>${links}${form}<form class="card scroll" action="/admin/decide">${isSelectable && html`<p class="acts"><label class="all"><input type="checkbox" data-all> Select all ${shown.length}</label>${buttons}</p>`}${table(shown, status === 'held' ? HELD_COLUMNS : LISTED_COLUMNS, 'No suspect matches.')}</form>
${pager(PATH, query, found)}</div>`,
  };
};

/** Such as "USD/NGN" or "ISK, 12 rates". */
export function questionOf({ base, quote, rates }: ListedSuspect): string {
  return rates === 1 ? `${base}/${quote}` : `${quote === 'USD' ? base : quote}, ${rates} rates`;
}

export function statusChip(status: SuspectStatus): Html {
  const { label, look } = STATUSES[status];
  return chip(label, look);
}

/** Such as "+40.00%", or "13× too high" for more than a factor of two. */
export function differenceOf(rate: number, expected: number): string {
  const times = Math.max(rate / expected, expected / rate);
  if (times <= 2) return formats.change(rate / expected - 1);
  return `${formats.decimal(String(Number(times.toPrecision(2))))}× too ${rate > expected ? 'high' : 'low'}`;
}
