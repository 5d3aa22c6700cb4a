import { describe, expect, it } from 'vitest';
import { openSdmx } from './in-process.js';

const { ask } = openSdmx({
  recorded: [{ at: '2026-03-17T16:02:11Z', rows: ['ECB 2026-03-17 EUR/USD 1.1498'] }],
  now: '2026-03-20T12:00:00Z',
});
const KEY = '/sdmx/data/EXR/D.USD.EUR.SP00.A';

const DIMENSIONS =
  '{"id":"FREQ","keyPosition":0,"values":[{"id":"D","name":"Daily"}]},{"id":"CURRENCY","keyPosition":1,"values":[{"id":"USD","name":"United States Dollar"}]},{"id":"CURRENCY_DENOM","keyPosition":2,"values":[{"id":"EUR","name":"Euro"}]},{"id":"EXR_TYPE","keyPosition":3,"values":[{"id":"SP00","name":"Spot"}]},{"id":"EXR_SUFFIX","keyPosition":4,"values":[{"id":"A","name":"Average"}]}';
const STRUCTURE = `{"dimensions":{"series":[${DIMENSIONS}],"observation":[{"id":"TIME_PERIOD","keyPosition":5,"values":[{"id":"2026-03-17","name":"2026-03-17"}]}]},"attributes":{"series":[{"id":"UNIT_MULT","relationship":{"none":{}},"values":[{"id":"0","name":"Units"}]}],"observation":[{"id":"OBS_STATUS","relationship":{"primaryMeasure":"OBS_VALUE"},"values":[{"id":"A","name":"Normal value"}]}]}}`;
const DATA_SETS =
  '[{"action":"Information","links":[],"series":{"0:0:0:0:0":{"attributes":[0],"observations":{"0":[1.1498,0]}}}}]';
const META = '{"id":"V1","prepared":"2026-03-17T16:02:11Z","test":false,"sender":{"id":"ALMANAC"}}';
const JSON_1 = `{"meta":${META},"data":{"structure":${STRUCTURE},"dataSets":${DATA_SETS}}}`;
const DRAFT_JSON = `{"header":${META},"structure":${STRUCTURE},"dataSets":${DATA_SETS}}`;
const KEY_XML =
  '<g:SeriesKey><g:Value id="FREQ" value="D"/><g:Value id="CURRENCY" value="USD"/><g:Value id="CURRENCY_DENOM" value="EUR"/><g:Value id="EXR_TYPE" value="SP00"/><g:Value id="EXR_SUFFIX" value="A"/></g:SeriesKey>';
const UNIT_XML = '<g:Attributes><g:Value id="UNIT_MULT" value="0"/></g:Attributes>';
const XML = `<?xml version="1.0" encoding="UTF-8"?>
<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic"><m:Header><m:ID>V1</m:ID><m:Test>false</m:Test><m:Prepared>2026-03-17T16:02:11Z</m:Prepared><m:Sender id="ALMANAC"/><m:Structure structureID="EXR" dimensionAtObservation="TIME_PERIOD"><c:Structure><Ref agencyID="ALMANAC" id="EXR" version="1.0"/></c:Structure></m:Structure></m:Header><m:DataSet structureRef="EXR" action="Information"><g:Series>${KEY_XML}${UNIT_XML}<g:Obs><g:ObsDimension value="2026-03-17"/><g:ObsValue value="1.1498"/><g:Attributes><g:Value id="OBS_STATUS" value="A"/></g:Attributes></g:Obs></g:Series></m:DataSet></m:GenericData>`;
const KEYS = 'FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX';
const COLUMNS = `${KEYS},TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT`;
const LINE = 'D,USD,EUR,SP00,A,2026-03-17,1.1498,A,0';
const CSV = `DATAFLOW,${COLUMNS}\nALMANAC:EXR(1.0),${LINE}\n`;
const CSV_2 = `STRUCTURE,STRUCTURE_ID,ACTION,${COLUMNS}\ndataflow,ALMANAC:EXR(1.0),I,${LINE}\n`;
const ECB_CSV = `KEY,${COLUMNS}\nEXR.D.USD.EUR.SP00.A,${LINE}\n`;

describe('a body', () => {
  it.each([
    ['application/vnd.sdmx.genericdata+xml;version=2.1', XML],
    ['application/xml', XML],
    ['application/vnd.sdmx.data+json;version=1.0.0', JSON_1],
    ['application/json', JSON_1],
    ['application/vnd.sdmx.data+json;version=1.0.0-wd', DRAFT_JSON],
    ['application/vnd.sdmx.data+csv;version=1.0.0', CSV],
    ['application/vnd.sdmx.data+csv;version=2.0.0', CSV_2],
    ['text/csv', ECB_CSV],
  ])('of %s is of exactly that media type, byte for byte', async (accept, text) => {
    for (const target of [KEY, `${KEY}/all`, `${KEY}/ECB`]) {
      const answer = await ask(target, { headers: { accept } });
      expect(answer).toMatchObject({ status: 200, type: accept, text, vary: ['accept'] });
    }
  });

  it.each([
    [undefined, '', 'application/vnd.sdmx.genericdata+xml;version=2.1'],
    ['*/*', '', 'application/vnd.sdmx.genericdata+xml;version=2.1'],
    ['application/vnd.sdmx.data+json', '', 'application/vnd.sdmx.data+json;version=1.0.0'],
    ['application/xml', '?format=csvdata', 'text/csv'],
    [undefined, '?format=jsondata', 'application/vnd.sdmx.data+json;version=1.0.0-wd'],
    ['text/csv', '?format=genericdata', 'application/vnd.sdmx.genericdata+xml;version=2.1'],
  ])('is chosen by format, and else by what is accepted: %s%s', async (accept, query, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const { text } = await ask(KEY, { headers: { accept: type } });
    expect(await ask(KEY + query, { headers })).toMatchObject({ status: 200, type, text });
  });

  it.each([
    ['application/vnd.sdmx.structurespecificdata+xml;version=2.1', ''],
    ['application/vnd.sdmx.data+json;version=2.0.0', ''],
    ['image/png', ''],
    ['*/*', '?format=structurespecificdata'],
  ])('of %s%s is not available', async (accept, query) => {
    expect(await ask(KEY + query, { headers: { accept } })).toMatchObject({ status: 406 });
  });

  const ECB_LINE = 'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A';
  const ONLY = `KEY,${KEYS},TIME_PERIOD,OBS_VALUE\n${ECB_LINE},2026-03-17,1.1498\n`;
  const OBS = '<g:Obs><g:ObsDimension value="2026-03-17"/><g:ObsValue value="1.1498"/></g:Obs>';
  it.each([
    ['dataonly', ONLY, { observations: { 0: [1.1498] } }, OBS],
    ['serieskeysonly', `KEY,${KEYS}\n${ECB_LINE}\n`, {}, ''],
    ['nodata', `KEY,${KEYS},UNIT_MULT\n${ECB_LINE},0\n`, { attributes: [0] }, UNIT_XML],
  ])('of detail=%s leaves out the rest', async (detail, csv, series, xml) => {
    const of = async (format: string) => (await ask(`${KEY}?format=${format}&detail=${detail}`)).text;
    expect(await of('csvdata')).toBe(csv);
    const { structure, dataSets } = JSON.parse(await of('jsondata'));
    expect(dataSets[0].series).toEqual({ '0:0:0:0:0': series });
    if (detail === 'dataonly') expect(structure.attributes).toEqual({ series: [], observation: [] });
    expect(await of('genericdata')).toContain(`<g:Series>${KEY_XML}${xml}</g:Series>`);
  });
});
