import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  currencyCode,
  currencyList,
  dateParameter,
  oneOf,
  providerList,
} from '../../../src/http/currency-parameters.js';
import { errorBody, HttpError } from '../../../src/http/errors.js';
import { lenientQuery, type QueryReader, strictQuery } from '../../../src/http/query.js';
import { decimalParameter, textParameter } from '../../../src/http/utility-parameters.js';
import { processorMs } from '../../support/processor-time.js';
import { propertyRuns } from '../../support/property-runs.js';

const strict = strictQuery(
  z.object({
    base: currencyCode.default('EUR'),
    quotes: currencyList.optional(),
    providers: providerList.optional(),
    from: dateParameter.optional(),
    group: oneOf(['week', 'month']).optional(),
  }),
  { joined: ['quotes', 'providers'] },
);
const lenient = lenientQuery(
  z.object({ text: textParameter('text', 1, 100), lat: decimalParameter('lat', -90, 90) }),
);

const MOST_BYTES = 8_192;

function errorOf<Query>(reader: QueryReader<Query>, query: string): HttpError | undefined {
  try {
    reader.read(`/path?${query}`);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

const sizeOf = (error: HttpError) => Buffer.byteLength(JSON.stringify(errorBody(error)));

describe('the error for a query', () => {
  it('names each parameter once', () => {
    const error = errorOf(strict, 'a=1&a=2&base=zzz&a');
    expect(error?.parameters.map(({ parameter }) => parameter)).toEqual(['a']);
  });

  it('lists ten faults of more', () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    expect(errorOf(strict, names.join('&'))?.parameters.map(({ parameter }) => parameter)).toEqual(
      names.slice(0, 10),
    );
  });

  it('is found without reading all repetitions of one fault', () => {
    const error = errorOf(strict, `${'a&'.repeat(1_000)}%zz`);
    expect(error?.status).toBe(422);
    expect(error?.parameters.map(({ parameter }) => parameter)).toEqual(['a']);
  });

  it('shows the beginning of a long name, and no half of a character', () => {
    const [fault] = errorOf(strict, `${'a'.repeat(39)}😀${'b'.repeat(1_000)}=1`)?.parameters ?? [];
    expect(fault?.parameter).toBe(`${'a'.repeat(39)}…`);
  });

  it('counts the unknown members of a long list', () => {
    const codes = Array.from({ length: 200 }, (_, index) => `Q${index}`);
    expect(errorOf(strict, `quotes=${codes.join(',')}`)?.message).toBe(
      `invalid currency: ${codes.slice(0, 10).join(', ')} and 190 more`,
    );
  });

  it.each([
    ['a&a&…', 'a&'.repeat(65_000)],
    ['130 KB of names', Array.from({ length: 20_000 }, (_, index) => `n${index}`).join('&')],
    ['a name of 130 KB', `${'n'.repeat(130_000)}=1`],
    ['a name of control characters', `${'%01'.repeat(40_000)}=1`],
    ['a list of 30,000', `quotes=${Array.from({ length: 30_000 }, (_, index) => `q${index}`).join()}`],
    ['a base of 130 KB', `base=${'z'.repeat(130_000)}`],
    ['a date of 130 KB', `from=${'9'.repeat(130_000)}`],
    ['a group of 130 KB', `group=${'%00'.repeat(43_000)}`],
    ['a list joined of 18,000', 'quotes=q'.concat('&quotes=q'.repeat(14_000))],
  ])('is small, and found soon, for %s', (_, query) => {
    const started = processorMs();
    for (const reader of [strict, lenient]) {
      const error = errorOf<unknown>(reader as QueryReader<unknown>, query);
      expect(error).toBeInstanceOf(HttpError);
      if (error) expect(sizeOf(error)).toBeLessThan(MOST_BYTES);
    }
    expect(processorMs() - started).toBeLessThan(500);
  });

  it('is small whatever the query', () => {
    const name = fc.oneof(
      fc.constantFrom('base', 'quotes', 'providers', 'from', 'group', 'text', 'lat', 'lat[]'),
      fc.string({ unit: 'binary', maxLength: 200 }).map(encodeURIComponent),
      fc.string({ maxLength: 200 }),
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }).map(encodeURIComponent),
      fc.string({ maxLength: 3_000 }),
      fc.array(fc.string({ maxLength: 60 }), { maxLength: 300 }).map((parts) => parts.join()),
    );
    const query = fc
      .array(fc.tuple(name, value), { maxLength: 60 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
    fc.assert(
      fc.property(query, (text) => {
        for (const reader of [strict, lenient]) {
          const error = errorOf<unknown>(reader as QueryReader<unknown>, text);
          if (error) expect(sizeOf(error)).toBeLessThan(MOST_BYTES);
        }
      }),
      propertyRuns(300),
    );
  });
});
