import { type Artefact, allArtefacts, type Region } from './artefacts.js';
import { select } from './selection.js';

/** The structures of the documented path. */
export function exampleStructures(): Artefact[] {
  return select(allArtefacts(), {
    type: 'codelist',
    agency: 'ALMANAC',
    id: 'CL_FREQ',
    version: '1.0',
    item: 'D',
    references: 'none',
    detail: 'full',
  });
}

/** The ECB's rates of the dollar and the pound in March 2026. */
const region: Region = { codes: new Map([['CURRENCY', ['GBP', 'USD']]]) };

/** The constraint of the documented path. */
export function exampleAvailability(): Artefact[] {
  return allArtefacts()
    .filter(({ type }) => type === 'contentconstraint')
    .map((constraint) => ({ ...constraint, region }));
}
