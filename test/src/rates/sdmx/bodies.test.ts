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
const XML = `<?xml version="1.0" encoding="UTF-8"?>
<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic"><m:Header><m:ID>V1</m:ID><m:Test>false</m:Test><m:Prepared>2026-03-17T16:02:11Z</m:Prepared><m:Sender id="ALMANAC"/><m:Structure structureID="EXR" dimensionAtObservation="TIME_PERIOD"><c:Structure><Ref agencyID="ALMANAC" id="EXR" version="1.0"/></c:Structure></m:Structure></m:Header><m:DataSet structureRef="EXR" action="Information"><g:Series><g:SeriesKey><g:Value id="FREQ" value="D"/><g:Value id="CURRENCY" value="USD"/><g:Value id="CURRENCY_DENOM" value="EUR"/><g:Value id="EXR_TYPE" value="SP00"/><g:Value id="EXR_SUFFIX" value="A"/></g:SeriesKey><g:Attributes><g:Value id="UNIT_MULT" value="0"/></g:Attributes><g:Obs><g:ObsDimension value="2026-03-17"/><g:ObsValue value="1.1498"/><g:Attributes><g:Value id="OBS_STATUS" value="A"/></g:Attributes></g:Obs></g:Series></m:DataSet></m:GenericData>`;
const CSV = `DATAFLOW,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT
ALMANAC:EXR(1.0),D,USD,EUR,SP00,A,2026-03-17,1.1498,A,0
`;
const CSV_2 = `STRUCTURE,STRUCTURE_ID,ACTION,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT
dataflow,ALMANAC:EXR(1.0),I,D,USD,EUR,SP00,A,2026-03-17,1.1498,A,0
`;
const ECB_CSV = `KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT
EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.1498,A,0
`;

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
  ])('of %s is of exactly that media type, byte for byte', async (accept, body) => {
    for (const target of [KEY, `${KEY}/all`, `${KEY}/ECB`])
      expect(await ask(target, { headers: { accept } })).toMatchObject({
        status: 200,
        type: accept,
        text: body,
        vary: ['accept'],
      });
  });

  it.each([
    ['none', undefined, '', 'application/vnd.sdmx.genericdata+xml;version=2.1', XML],
    ['any', '*/*', '', 'application/vnd.sdmx.genericdata+xml;version=2.1', XML],
    [
      'JSON of no version',
      'application/vnd.sdmx.data+json',
      '',
      'application/vnd.sdmx.data+json;version=1.0.0',
      JSON_1,
    ],
    ['csvdata', 'application/xml', '?format=csvdata', 'text/csv', ECB_CSV],
    [
      'jsondata',
      undefined,
      '?format=jsondata',
      'application/vnd.sdmx.data+json;version=1.0.0-wd',
      DRAFT_JSON,
    ],
    [
      'genericdata',
      'text/csv',
      '?format=genericdata',
      'application/vnd.sdmx.genericdata+xml;version=2.1',
      XML,
    ],
  ])('is chosen by format, and else by what is accepted: %s', async (_which, accept, query, type, text) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    expect(await ask(KEY + query, { headers })).toMatchObject({ status: 200, type, text });
  });

  it.each([
    ['application/vnd.sdmx.structurespecificdata+xml;version=2.1', ''],
    ['application/vnd.sdmx.data+json;version=2.0.0', ''],
    ['image/png', ''],
    ['*/*', '?format=structurespecificdata'],
  ])('of %s%s is not to be had', async (accept, query) => {
    expect(await ask(KEY + query, { headers: { accept } })).toMatchObject({ status: 406 });
  });
});

describe('detail', () => {
  const csv = async (query: string) => (await ask(`${KEY}?format=csvdata&${query}`)).text;
  const json = async (query: string) => JSON.parse((await ask(`${KEY}?format=jsondata&${query}`)).text);
  const xml = async (query: string) =>
    /<g:Series>.*<\/g:Series>/.exec((await ask(`${KEY}?format=genericdata&${query}`)).text)?.[0];
  const KEY_XML = /<g:SeriesKey>.*<\/g:SeriesKey>/.exec(XML)?.[0] ?? '';

  it('dataonly leaves out attributes', async () => {
    expect(await csv('detail=dataonly')).toBe(
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE\nEXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.1498\n',
    );
    const { structure, dataSets } = await json('detail=dataonly');
    expect(structure.attributes).toEqual({ series: [], observation: [] });
    expect(dataSets[0].series).toEqual({ '0:0:0:0:0': { observations: { 0: [1.1498] } } });
    expect(await xml('detail=dataonly')).toBe(
      `<g:Series>${KEY_XML}<g:Obs><g:ObsDimension value="2026-03-17"/><g:ObsValue value="1.1498"/></g:Obs></g:Series>`,
    );
  });

  it('serieskeysonly leaves out all but keys', async () => {
    expect(await csv('detail=serieskeysonly')).toBe(
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX\nEXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A\n',
    );
    expect((await json('detail=serieskeysonly')).dataSets[0].series).toEqual({ '0:0:0:0:0': {} });
    expect(await xml('detail=serieskeysonly')).toBe(`<g:Series>${KEY_XML}</g:Series>`);
  });

  it('nodata leaves out observations', async () => {
    expect(await csv('detail=nodata')).toBe(
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,UNIT_MULT\nEXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,0\n',
    );
    expect((await json('detail=nodata')).dataSets[0].series).toEqual({ '0:0:0:0:0': { attributes: [0] } });
    expect(await xml('detail=nodata')).toBe(
      `<g:Series>${KEY_XML}<g:Attributes><g:Value id="UNIT_MULT" value="0"/></g:Attributes></g:Series>`,
    );
  });
});
