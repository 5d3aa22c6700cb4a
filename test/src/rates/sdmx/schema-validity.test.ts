import { describe, expect, it } from 'vitest';
import { hasXmllint, invalidIn } from './schema-validity.js';

const message = (structures: string, header = '<m:ID>V1</m:ID><m:Test>false</m:Test>') =>
  `<m:Structure xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:s="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure"><m:Header>${header}<m:Prepared>2026-03-17T16:02:11Z</m:Prepared><m:Sender id="ALMANAC"/></m:Header><m:Structures>${structures}</m:Structures></m:Structure>`;
const list = (code: string, attributes = 'agencyID="ALMANAC"') =>
  `<s:Codelists><s:Codelist id="CL_FREQ" ${attributes}><c:Name xml:lang="en">Frequencies</c:Name>${code}</s:Codelist></s:Codelists>`;
const flows =
  '<s:Dataflows><s:Dataflow id="EXR" agencyID="ALMANAC"><c:Name>Rates</c:Name></s:Dataflow></s:Dataflows>';
const code = '<s:Code id="D"><c:Name>Daily</c:Name></s:Code>';
const constraint = (range: string) =>
  `<s:Constraints><s:ContentConstraint id="C" agencyID="ALMANAC"><c:Name>C</c:Name><s:CubeRegion><c:KeyValue id="TIME_PERIOD"><c:TimeRange>${range}</c:TimeRange></c:KeyValue></s:CubeRegion></s:ContentConstraint></s:Constraints>`;
const [start, end] = ['<c:StartPeriod>2026-W12</c:StartPeriod>', '<c:EndPeriod>2026-03</c:EndPeriod>'];

describe.skipIf(!hasXmllint)('the schemas', () => {
  it.each([
    ['structures', message(flows + list(code))],
    ['a range of time', message(constraint(start + end))],
    [
      'the data message that the standard has as the least',
      '<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common"><m:Header><m:ID>V1</m:ID><m:Test>false</m:Test><m:Prepared>2026-03-17T16:02:11Z</m:Prepared><m:Sender id="ALMANAC"/><m:Structure structureID="EXR"><c:Structure><Ref agencyID="ALMANAC" id="EXR"/></c:Structure></m:Structure></m:Header></m:GenericData>',
    ],
  ])('accept %s', (_which, xml) => {
    expect(invalidIn(xml)).toEqual([]);
  });

  it.each([
    ['lists in another order', message(list(code) + flows)],
    ['a header in another order', message(flows, '<m:Test>false</m:Test><m:ID>V1</m:ID>')],
    ['a code without a name', message(list('<s:Code id="D"/>'))],
    ['a code that is none', message(list('<s:Code id="D D"><c:Name>Daily</c:Name></s:Code>'))],
    ['a code twice', message(list(code + code))],
    ['a list without its agency', message(list(code, ''))],
    ['an attribute that there is not', message(list(code, 'agencyID="ALMANAC" kind="x"'))],
    ['a range from its end', message(constraint(end + start))],
    ['a period that is none', message(constraint(`<c:StartPeriod>2026-W60</c:StartPeriod>${end}`))],
  ])('refuse %s', (_which, xml) => {
    expect(invalidIn(xml).length).toBeGreaterThan(0);
  });
});
