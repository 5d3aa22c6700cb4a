import { describe, expect, it } from 'vitest';
import { negotiateEncoding, negotiateMediaType } from '../../../src/http/negotiation.js';

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
    ['gzip;q=2', 'identity'],
    ['deflate', 'identity'],
  ])('%s: %s', (header, coding) => {
    expect(negotiateEncoding(header)).toBe(coding);
  });
});

describe('media type', () => {
  const offered = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/*;q=0.1, text/csv;q=0.2', 'text/csv'],
    ['application/json;q=0, */*', 'application/x-ndjson'],
    ['Application/X-NDJSON; charset=utf-8', 'application/x-ndjson'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['image/png', undefined],
  ])('%s: %s', (header, type) => {
    expect(negotiateMediaType(header, offered)).toBe(type);
  });
});
