import { describe, expect, it } from 'vitest';
import { negotiateCoding, negotiateMediaType } from '../../../src/http/representation.js';

describe('coding of the body', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['identity;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=2', 'gzip'],
    ['deflate', 'identity'],
  ])('%s: %s', (header, coding) => {
    expect(negotiateCoding(header)).toBe(coding);
  });

  it('is not looked for among thousands', () => {
    expect(negotiateCoding('br, '.repeat(1_000))).toBe('br');
    expect(negotiateCoding('br, '.repeat(2_000))).toBe('identity');
  });
});

describe('media type', () => {
  const offered = [
    'application/json',
    'application/x-ndjson; charset=utf-8',
    'text/csv; charset=utf-8',
  ] as const;

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['application/*;q=0.1, text/csv;q=0.2', 'text/csv; charset=utf-8'],
    ['application/json;q=0, */*', 'application/x-ndjson; charset=utf-8'],
    ['Application/X-NDJSON; charset=UTF-8', 'application/x-ndjson; charset=utf-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['image/png', undefined],
  ])('%s: %s', (header, type) => {
    expect(negotiateMediaType(header, offered)).toBe(type);
  });

  it('is not looked for among thousands', () => {
    expect(negotiateMediaType('text/csv, '.repeat(400), offered)).toBe('text/csv; charset=utf-8');
    expect(negotiateMediaType('text/csv, '.repeat(10_000), offered)).toBe('application/json');
  });
});
