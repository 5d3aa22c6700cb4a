import { describe, expect, it } from 'vitest';
import { HttpError, parameterError } from '../../../../src/http/errors.js';
import { sdmxErrorForm } from '../../../../src/rates/sdmx/errors.js';

const told = (
  error: HttpError,
  { url = '/sdmx/data/EXR', accept }: { url?: string; accept?: string } = {},
) => {
  const { content } = sdmxErrorForm(error, { url, headers: accept === undefined ? {} : { accept } });
  return { type: content.type, text: String(content.body) };
};

describe('an error', () => {
  const error = parameterError(422, 'startPeriod', 'startPeriod is <later> & \u0000odd');

  it.each([
    undefined,
    '*/*',
    'application/xml',
    'application/vnd.sdmx.structurespecificdata+xml;version=2.1',
  ])('is XML for %s', (accept) => {
    expect(told(error, accept === undefined ? {} : { accept })).toEqual({
      type: 'application/xml',
      text: '<?xml version="1.0" encoding="UTF-8"?><m:Error xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common"><m:ErrorMessage code="150"><c:Text xml:lang="en">startPeriod is &lt;later&gt; &amp; \uFFFDodd</c:Text></m:ErrorMessage></m:Error>',
    });
  });

  it.each([
    { accept: 'application/json' },
    { accept: 'text/csv' },
    { accept: 'application/vnd.sdmx.structure+json;version=1.0.0' },
    { accept: 'application/vnd.sdmx.data+json;version=2.0.0' },
    { url: '/sdmx/data/EXR?format=jsondata' },
    { url: '/sdmx/data/EXR?format=csvdata', accept: 'application/xml' },
  ])('is the one body of the service, with what SDMX-JSON says of it, for %j', (asked) => {
    const { type, text } = told(error, asked);
    expect(type).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toEqual({
      success: false,
      status: 422,
      message: error.message,
      errors: [{ code: 150, title: 'Semantic error', detail: error.message, parameter: 'startPeriod' }],
    });
  });

  it('in the format of a parameter is so whatever is accepted', () => {
    expect(told(error, { url: '/sdmx/data?format=genericdata', accept: 'text/csv' }).type).toBe(
      'application/xml',
    );
  });

  it('names parameters as SDMX does', () => {
    const error = parameterError(422, 'as_of', 'as_of is in the future');
    expect(JSON.parse(told(error, { accept: 'application/json' }).text)).toMatchObject({
      message: 'asOf is in the future',
      errors: [{ parameter: 'asOf', detail: 'asOf is in the future' }],
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
    const { text } = told(new HttpError(status, 'so it is'), { accept: 'application/json' });
    expect(JSON.parse(text).errors).toEqual([{ code, title, detail: 'so it is' }]);
  });
});
