import { today } from '../../../core/domain/clock.js';
import { addDays, type CalendarDate } from '../../../core/domain/dates.js';
import { isNeedsKeyError } from '../../../core/domain/provider-status.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { facts } from '../../pages/facts.js';
import { plainError } from '../../pages/plain-error.js';
import { stateChip } from '../../pages/provider-facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import { requestIngest } from '../admin/requests.js';
import { FIRST_DAY, providerKey, USUAL_DAYS } from '../admin/window.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies, OperatorRequest, PageMaker } from './errand.js';
import { jobProgress } from './job.js';
import { heldRates, runsTable, setAsideTable } from './source-history.js';

const { formats, say } = english;

/** What an operator may read again. */
const WINDOWS: Readonly<
  Record<string, { label: string; from(now: CalendarDate, key: string): CalendarDate }>
> = {
  newest: { label: `Newest ${USUAL_DAYS} days`, from: (now) => addDays(now, 1 - USUAL_DAYS) },
  month: { label: 'Last month', from: (now) => addDays(now, -30) },
  all: { label: 'All days', from: (_now, key) => providerOf(key)?.coverage_start ?? FIRST_DAY },
};

/** A source, with what came of reading it, and the way to reading it now. */
export const sourcePage: PageMaker = async (dependencies, { params, query }) => {
  const { readSources, database } = dependencies;
  const key = providerKey(params.key ?? '');
  const source = (await readSources()).find(({ provider }) => provider.key === key);
  if (!source) throw new HttpError(404, `no such source: ${key}`);
  const [progress, runs, setAside, held] = await Promise.all([
    jobProgress(dependencies, query.get('job')),
    runsTable(database, key),
    setAsideTable(database, key),
    heldRates(database, key),
  ]);
  const buttons = Object.entries(WINDOWS).map(
    ([name, { label }]) =>
      html` <a class="button${name !== 'newest' && ' quiet'}" href="/admin/sources/${key}/read?window=${name}">${label}</a>`,
  );
  return {
    title: source.provider.name,
    heading: html`<span class="code">${key}</span> ${source.provider.name}`,
    acts: html`<span>Read now</span>${buttons}`,
    body: html`<div id="job" data-live>${progress}</div>
<div id="state" data-live>${stateOf(source)}</div>
<div class="sections" id="history" data-live>${held}${setAside}${runs}</div>`,
  };
};

function stateOf({ provider, state, next, lastError, lately }: Source): Html {
  const instant = (text: string | null) => (text === null ? 'not yet' : formats.instant(text));
  return html`<section class="card">
<p>${stateChip(state, say)} ${say(`states.${state}.sentence`)} ${provider.last_success_at === null && lately?.shippedTo && html`${say('facts.shipped', { day: formats.date(lately.shippedTo) })}.`} ${(provider.publishes_missed ?? 0) > 0 && say('facts.missed', { count: provider.publishes_missed ?? 0 })}</p>
${lastError !== null && html`<p class="problem">${plainError(lastError, say)}</p><p><code class="error">${lastError}</code></p>`}
${facts({
  'Newest rate': provider.end_date ? formats.date(provider.end_date) : 'none',
  'Next due': next === null ? '–' : formats.instant(next),
  'Last read here': instant(provider.last_success_at),
  'Last attempt to read': instant(provider.last_attempt_at),
  ...(isNeedsKeyError(lastError) && { Key: 'missing' }),
})}
<p class="hint"><a href="${provider.homepage}" rel="noreferrer">Website</a> · <a href="${provider.data_url}" rel="noreferrer">Rate data</a></p>
</section>`;
}

export const READ: Act = {
  confirm(dependencies, request) {
    const { provider, from } = wantedBy(dependencies, request);
    const name = providerOf(provider)?.name ?? provider;
    return {
      title: `Read ${name} again`,
      body: html`<p>Requests the rates of ${name} from ${formats.date(from)} on, and stores new and corrected ones. Nothing is lost: a corrected rate keeps its history.</p>`,
      button: 'Read now',
      back: `/admin/sources/${provider}`,
    };
  },
  async perform(dependencies, request) {
    const wanted = wantedBy(dependencies, request);
    const job = await requestIngest(dependencies, request.by, wanted);
    return seeOther(`/admin/sources/${wanted.provider}?${new URLSearchParams({ job })}`);
  },
};

function wantedBy({ clock }: ConsoleDependencies, { params, query }: OperatorRequest) {
  const provider = providerKey(params.key ?? '');
  const name = query.get('window') ?? 'newest';
  const window = Object.hasOwn(WINDOWS, name) ? WINDOWS[name] : undefined;
  if (!window) throw new HttpError(422, `window must be one of ${Object.keys(WINDOWS).join(', ')}`);
  return { provider, from: window.from(today(clock), provider) };
}
