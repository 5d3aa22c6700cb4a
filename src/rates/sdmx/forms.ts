import { dayNumber } from '../../../core/domain/dates.js';
import type { BodyContext, BodyForm } from './body.js';
import { csvForm } from './csv.js';
import { genericXmlForm } from './generic-xml.js';
import { jsonForm } from './json.js';
import type { DataBody } from './media-types.js';
import type { Series, SeriesReader } from './series.js';

type MakeForm = (context: BodyContext, read: SeriesReader) => BodyForm | Promise<BodyForm>;

export const FORMS: Readonly<Record<DataBody, MakeForm>> = {
  'generic-xml': genericXmlForm,
  json: (context, read) => jsonForm('json', context, read),
  'draft-json': (context, read) => jsonForm('draft-json', context, read),
  csv: (context) => csvForm('csv', context),
  'csv-2': (context) => csvForm('csv-2', context),
  'ecb-csv': (context) => csvForm('ecb-csv', context),
};

const SERIES: Series = {
  key: { frequency: 'D', currency: 'USD', denominator: 'EUR', type: 'SP00', suffix: 'A' },
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

export async function exampleOf(body: DataBody): Promise<unknown> {
  const { opening, series, closing } = await FORMS[body](CONTEXT, () => [SERIES]);
  const text = opening + [...series(SERIES)].join('') + closing;
  return body.endsWith('json') ? JSON.parse(text) : text;
}
