import { HttpError } from '../../../http/errors.js';
import { excerpt } from '../../../parameters/excerpt.js';
import { AGENCY, VERSION } from '../dataflow.js';
import { type Artefact, type StructureType, TYPES } from './artefacts.js';

/** The requested structures: lists separated by `+` or a comma, as SDMX 2.1 and 3.0 write them. */
type StructureQuery = Readonly<typeof WHOLE>;

const WHOLE = {
  type: 'all',
  agency: 'all',
  id: 'all',
  version: 'latest',
  item: 'all',
  references: 'none',
};

/** Clients of the ECB's service name its agency, and mean the structures here. */
const AGENCIES = [AGENCY, 'ECB'];
const ANY = ['all', '*'];
/** There is only one version, so it is the latest, the production version, and all versions. */
const VERSIONS = [VERSION, 'latest', '~', ''];

/** With references, adds all others. Throws an HttpError 404 if none matches, and 501 for a type without structures. */
// A member that is absent selects all.
export function select(all: readonly Artefact[], given: Partial<StructureQuery>): Artefact[] {
  const query = { ...WHOLE, ...given };
  const { agency, id, version, item, references } = query;
  const type = typeIn(query.type);
  const ofType = all.filter((artefact) => type === undefined || artefact.type === type);
  const isKnown = has(agency, AGENCIES) && has(version, VERSIONS);
  const matching = isKnown ? ofType.filter((artefact) => has(id, [artefact.id])) : [];
  const chosen = matching.flatMap((artefact) => withItems(artefact, item));
  if (chosen.length === 0) throw nothing(query, ofType);
  return references === 'none' ? chosen : [...chosen, ...all.filter((one) => !matching.includes(one))];
}

/** Undefined for all types. */
function typeIn(text: string): StructureType | undefined {
  const type = text.toLowerCase();
  if (ANY.includes(type)) return undefined;
  const known = Object.keys(TYPES) as StructureType[];
  const found = known.find((one) => one === type);
  if (found) return found;
  const message = `there are no structures of type ${excerpt(text)} (available: ${known.join(', ')})`;
  throw new HttpError(501, message);
}

/** Whether a list contains one of these, or means all. */
function has(list: string, wanted: readonly string[]): boolean {
  return list.split(/[+,]/).some((one) => ANY.includes(one) || wanted.includes(one));
}

/** Returns the structure with only the listed items; nothing if it has none of them. */
function withItems(artefact: Artefact, list: string): Artefact[] {
  if (has(list, [])) return [artefact];
  const items = new Map([...(artefact.items ?? [])].filter(([id]) => has(list, [id])));
  return items.size > 0 ? [{ ...artefact, items, isPartial: true }] : [];
}

function nothing({ type, agency, id, version, item }: StructureQuery, there: readonly Artefact[]): HttpError {
  const wanted = [type, agency, id, version, item].map(excerpt).join('/');
  const known = there.map((artefact) => `${AGENCY}/${artefact.id}/${VERSION}`).join(', ');
  return new HttpError(404, `there is no ${wanted} (available: ${known})`);
}
