import type { Verdict } from '../../../core/database/decisions.js';
import { HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { html } from '../../pages/shared/html.js';
import { requestDecision } from '../admin/requests.js';
import type { Act, ConsoleDependencies, OperatorRequest } from './errand.js';
import { findSuspect, verdictOf } from './suspect.js';
import { SUSPECT_COLUMNS, VERDICTS } from './suspects.js';
import { PAGE_LENGTH, table } from './table.js';

/** Decides on each selected suspect as on a single one, with its own record in the audit log and its own job. */
export const DECIDE_SELECTED: Act = {
  async confirm(dependencies, request) {
    const { status, suspects } = await selectedBy(dependencies, request);
    const { button, effect } = VERDICTS[status];
    const what = suspects.length === 1 ? '1 suspect' : `${suspects.length} suspects`;
    return {
      title: `${button} ${what}?`,
      button: `${button} ${what}`,
      body: html`<p>${effect} You can change each decision later. The page of a suspect shows what its decision changes.</p>${table(suspects, SUSPECT_COLUMNS)}`,
      back: '/admin/suspects',
    };
  },
  async perform(dependencies, request) {
    const { status, suspects } = await selectedBy(dependencies, request);
    for (const { id } of suspects) await requestDecision(dependencies, request.by, { suspect: id, status });
    return seeOther(`/admin/suspects?${new URLSearchParams({ status })}`);
  },
};

/** Throws an HttpError. */
async function selectedBy(dependencies: ConsoleDependencies, { query }: OperatorRequest) {
  const status: Verdict = verdictOf(query);
  const ids = [...new Set(query.getAll('suspect'))];
  if (ids.length === 0 || ids.length > PAGE_LENGTH)
    throw new HttpError(422, `select at least one suspect, and at most ${PAGE_LENGTH}`);
  return { status, suspects: await Promise.all(ids.map((id) => findSuspect(dependencies, id))) };
}
