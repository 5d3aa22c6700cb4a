import { dayNumber } from '../../../core/domain/dates.js';
import type { BodyContext, BodyForm } from './body.js';
import { csvForm } from './csv.js';
import { genericXmlForm } from './generic-xml.js';
import { jsonForm } from './json.js';
import type { DataBody } from './media-types.js';
import type { Series } from './series.js';

const SERIES: Series = {
  key: { frequency: 'D', currency: 'USD', denominator: 'EUR', suffix: 'A' },
  days: Int32Array.of(dayNumber('2026-03-17')),
  values: Float64Array.of(1.1498),
  suspects: Uint8Array.of(0),
};
const CONTEXT: BodyContext = {
  id: 'V4711',
  prepared: '2026-03-17T16:02:11Z',
  hasObservations: true,
  hasAttributes: true,
  isHistory: false,
};
const read = () => [SERIES];

/** The bodies of one observation, for the OpenAPI document. */
export const EXAMPLES: Readonly<Record<DataBody, unknown>> = {
  'generic-xml': textOf(genericXmlForm(CONTEXT)),
  json: JSON.parse(textOf(await jsonForm('json', CONTEXT, read))),
  'draft-json': JSON.parse(textOf(await jsonForm('draft-json', CONTEXT, read))),
  csv: textOf(csvForm('csv', CONTEXT)),
  'csv-2': textOf(csvForm('csv-2', CONTEXT)),
  'ecb-csv': textOf(csvForm('ecb-csv', CONTEXT)),
};

function textOf({ opening, series, closing }: BodyForm): string {
  return opening + [...series(SERIES)].join('') + closing;
}
