import { describe, expect, it } from 'vitest';
import { HttpError, parameterError } from '../../../../src/http/errors.js';
import { sdmxErrorForm } from '../../../../src/rates/sdmx/errors.js';

function written(error: HttpError, accept?: string, url = '/sdmx/data/EXR') {
  const { content } = sdmxErrorForm(error, { url, headers: accept === undefined ? {} : { accept } });
  return { type: content.type, text: String(content.body) };
}
const asJson = (error: HttpError) => JSON.parse(written(error, 'application/json').text);

const ERROR = parameterError(422, 'startPeriod', 'startPeriod is <later> & \u0000odd');
const XML =
  '<?xml version="1.0" encoding="UTF-8"?><m:Error xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common"><m:ErrorMessage code="150"><c:Text xml:lang="en">startPeriod is &lt;later&gt; &amp; \uFFFDodd</c:Text></m:ErrorMessage></m:Error>';

describe('an error', () => {
  it.each<[accept?: string | undefined, url?: string]>([
    [undefined],
    ['*/*'],
    ['application/xml'],
    ['application/vnd.sdmx.structurespecificdata+xml;version=2.1'],
    // The format of a parameter counts, whatever is accepted.
    ['text/csv', '/sdmx/data?format=genericdata'],
  ])('is XML for %s %s', (accept, url) => {
    expect(written(ERROR, accept, url)).toEqual({ type: 'application/xml', text: XML });
  });

  it.each<[accept?: string | undefined, url?: string]>([
    ['application/json'],
    ['text/csv'],
    ['application/vnd.sdmx.structure+json;version=1.0.0'],
    ['application/vnd.sdmx.data+json;version=2.0.0'],
    [undefined, '/sdmx/data/EXR?format=jsondata'],
    ['application/xml', '/sdmx/data/EXR?format=csvdata'],
  ])('is the one body of the service, with what SDMX-JSON says of it, for %s %s', (accept, url) => {
    const { type, text } = written(ERROR, accept, url);
    expect(type).toBe('application/json; charset=utf-8');
    const { message } = ERROR;
    expect(JSON.parse(text)).toEqual({
      success: false,
      status: 422,
      code: 'invalid_parameter',
      message,
      errors: [{ code: 150, title: 'Semantic error', detail: message, parameter: 'startPeriod' }],
    });
  });

  it('names parameters as SDMX does', () => {
    const message = 'asOf is in the future';
    expect(asJson(parameterError(422, 'as_of', 'as_of is in the future'))).toMatchObject({
      message,
      errors: [{ parameter: 'asOf', detail: message }],
    });
  });

  it.each([
    [400, 140, 'Syntax error'],
    [404, 100, 'No results found'],
    [406, 406, 'Not acceptable'],
    [413, 130, 'Response too large'],
    [422, 150, 'Semantic error'],
    [429, 429, 'Error'],
    [500, 500, 'Internal server error'],
    [501, 501, 'Not implemented'],
    [503, 503, 'Service unavailable'],
  ])('of status %i has code %i', (status, code, title) => {
    expect(asJson(new HttpError(status, 'so it is')).errors).toEqual([{ code, title, detail: 'so it is' }]);
  });
});
