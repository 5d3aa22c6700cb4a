import { dayNumber } from '../../../core/domain/dates.js';
import type { BodyContext } from './body.js';
import { FORMS } from './forms.js';
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

/** Returns the body of one observation, for the OpenAPI document. */
export async function exampleOf(body: DataBody): Promise<unknown> {
  const { opening, series, closing } = await FORMS[body](CONTEXT, () => [SERIES]);
  const text = opening + [...series(SERIES)].join('') + closing;
  return body.endsWith('json') ? JSON.parse(text) : text;
}
