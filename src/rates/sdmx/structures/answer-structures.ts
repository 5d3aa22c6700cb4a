import type { Clock } from '../../../../core/domain/clock.js';
import { LITTLE } from '../../../http/cost.js';
import type { Content } from '../../../http/reply.js';
import type { RequestContext } from '../../../http/route.js';
import type { RenderContext } from '../../engine/answer.js';
import type { Rates } from '../../engine/rates.js';
import { CURRENCIES, resolveRequest } from '../../engine/request.js';
import { nothingFound } from '../body.js';
import { currenciesOf, type DataQuery, denominatorsOf } from '../data-query.js';
import { TIME_PERIOD } from '../dataflow.js';
import { headerOf } from '../header.js';
import { chosenType } from '../media-types.js';
import type { Artefact, Region } from './artefacts.js';
import { availableRegion, exactRegion } from './availability.js';
import { STRUCTURE_TYPES, structureMessage } from './structure-message.js';

export interface StructureDependencies {
  rates: Rates;
  clock: Clock;
}

/** Structures to answer with, and what the constraint among them tells of. */
interface Wanted {
  readonly artefacts: readonly Artefact[];
  readonly query: DataQuery;
  readonly mode: 'exact' | 'available';
  /** Dimensions, TIME_PERIOD among them; undefined for all. */
  readonly components?: readonly string[] | undefined;
  /** Whether there has to be any observation. */
  readonly isRequired?: boolean;
}

const FIND = { exact: exactRegion, available: availableRegion };

/** Answers with structures as a message of the data version. The region of a constraint is found when the message is made. */
export function answerStructures(
  { rates, clock }: StructureDependencies,
  { artefacts, query, mode, components, isRequired = false }: Wanted,
  context: RequestContext,
) {
  const { providers } = query;
  const request = resolveRequest({ providers: providers && [...providers] }, clock);
  const media = chosenType(STRUCTURE_TYPES, { accept: context.headers.accept });
  const told = artefacts.map(({ items, ...artefact }) => ({ ...artefact, items: items && [...items] }));
  const layout = { form: 'sdmx-structures', media, told, query, mode, components };
  const isConstraint = ({ type, isStub }: Artefact) => type === 'contentconstraint' && !isStub;

  async function render({ knowledge }: RenderContext): Promise<Content> {
    const header = headerOf(knowledge);
    if (!artefacts.some(isConstraint)) return structureMessage(artefacts, header, media);
    const source = knowledge.sourceOf(providers);
    const found = await FIND[mode](query, { source, reader: context, clock });
    if (isRequired && !found.days) throw nothingFound();
    const region = only(found, components);
    const whole = artefacts.map((artefact) => (isConstraint(artefact) ? { ...artefact, region } : artefact));
    return structureMessage(whole, header, media);
  }

  const pairs = denominatorsOf(query).length * (currenciesOf(query)?.length ?? CURRENCIES);
  const rawDays = (providers ?? []).length > 1 ? Number.POSITIVE_INFINITY : 0;
  const cost = artefacts.some(isConstraint) ? { rows: pairs, rawDays } : LITTLE;
  return rates.answer({ request, layout }, { vary: ['accept'], cost, render });
}

/** The part of a region that some components have. */
function only({ codes, days }: Region, components: readonly string[] | undefined): Region {
  if (!components) return { codes, ...(days && { days }) };
  const chosen = new Map([...codes].filter(([id]) => components.includes(id)));
  return { codes: chosen, ...(days && components.includes(TIME_PERIOD.id) && { days }) };
}
