import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { type BodyContext, type BodyForm, statusOf, UNITS } from './body.js';
import { AGENCY, DATAFLOW, DIMENSIONS, VERSION } from './dataflow.js';
import { timePeriod } from './periods.js';
import type { Series } from './series.js';
import { codesOf } from './series-key.js';
import { headerXml, namespaces, XML_DECLARATION } from './xml.js';

/** Generic data of SDMX-ML 2.1. No value needs escaping: all are codes, numbers, periods and instants. */
export function genericXmlForm({ hasObservations, hasAttributes, ...header }: BodyContext): BodyForm {
  const structure =
    `<m:Structure structureID="${DATAFLOW}" dimensionAtObservation="TIME_PERIOD"><c:Structure>` +
    `<Ref agencyID="${AGENCY}" id="${DATAFLOW}" version="${VERSION}"/></c:Structure></m:Structure>`;
  const attributes = (name: string, code: string) =>
    hasAttributes ? `<g:Attributes>${valueElement(name, code)}</g:Attributes>` : '';
  const ofSeries = attributes('UNIT_MULT', UNITS);
  const ofStatus = { A: attributes('OBS_STATUS', 'A'), U: attributes('OBS_STATUS', 'U') };

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
      `${XML_DECLARATION}\n<m:GenericData${namespaces('m', 'c', 'g')}>${headerXml(header, structure)}` +
      `<m:DataSet structureRef="${DATAFLOW}" action="Information">`,
    series: piecesOf,
    closing: '</m:DataSet></m:GenericData>',
  };
}

function valueElement(id: string, value: string): string {
  return `<g:Value id="${id}" value="${value}"/>`;
}
