import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { type BodyContext, type BodyForm, statusOf, UNITS } from './body.js';
import { AGENCY, DATAFLOW, DIMENSIONS, OBS_STATUS, TIME_PERIOD, UNIT_MULT, VERSION } from './dataflow.js';
import { NAMESPACES } from './errors.js';
import { timePeriod } from './periods.js';
import type { Series } from './series.js';
import { codesOf } from './series-key.js';

const GENERIC = 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic';

/** Generic data of SDMX-ML 2.1. No value needs escaping: all are codes, numbers, periods and instants. */
export function genericXmlForm({ id, prepared, hasObservations, hasAttributes }: BodyContext): BodyForm {
  const structure =
    `<m:Structure structureID="${DATAFLOW}" dimensionAtObservation="${TIME_PERIOD.id}"><c:Structure>` +
    `<Ref agencyID="${AGENCY}" id="${DATAFLOW}" version="${VERSION}"/></c:Structure></m:Structure>`;
  const attributes = (name: string, code: string) =>
    hasAttributes ? `<g:Attributes>${valueElement(name, code)}</g:Attributes>` : '';
  const ofSeries = attributes(UNIT_MULT.id, UNITS);
  const ofStatus = { A: attributes(OBS_STATUS.id, 'A'), U: attributes(OBS_STATUS.id, 'U') };

  function* piecesOf(series: Series): Generator<string> {
    const { key, days, values } = series;
    const codes = codesOf(key);
    const ids = DIMENSIONS.map((dimension, index) => valueElement(dimension.id, codes[index] ?? ''));
    yield `<g:Series><g:SeriesKey>${ids.join('')}</g:SeriesKey>${ofSeries}`;
    for (let index = 0; hasObservations && index < days.length; index++) {
      const time = timePeriod(key.frequency, days[index] ?? 0);
      yield `<g:Obs><g:ObsDimension value="${time}"/><g:ObsValue value="${plainDecimal(values[index] ?? Number.NaN)}"/>${ofStatus[statusOf(series, index)]}</g:Obs>`;
    }
    yield '</g:Series>';
  }

  return {
    opening:
      `<?xml version="1.0" encoding="UTF-8"?>\n<m:GenericData xmlns:m="${NAMESPACES.message}" xmlns:c="${NAMESPACES.common}" xmlns:g="${GENERIC}">` +
      `<m:Header><m:ID>${id}</m:ID><m:Test>false</m:Test><m:Prepared>${prepared}</m:Prepared><m:Sender id="${AGENCY}"/>${structure}</m:Header>` +
      `<m:DataSet structureRef="${DATAFLOW}" action="Information">`,
    series: piecesOf,
    closing: '</m:DataSet></m:GenericData>',
  };
}

function valueElement(id: string, value: string): string {
  return `<g:Value id="${id}" value="${value}"/>`;
}
