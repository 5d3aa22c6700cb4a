import { describe, expect, it } from 'vitest';
import { BLEND_METHOD } from '../../../../core/domain/blend/method.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { bytesOf } from '../../../../src/http/cost.js';
import { entityTag } from '../../../../src/http/representation.js';
import { identityOf, METHOD_HEADERS } from '../../../../src/rates/engine/answer.js';
import { costOf, type ResolvedRequest, resolveRequest } from '../../../../src/rates/engine/request.js';

const TODAY = dayNumber('2026-03-20');
const clock = () => new Date('2026-03-20T12:00:00Z');
type Query = Parameters<typeof resolveRequest>[0];
const resolved = (query: Query) => resolveRequest(query, clock);
const identity = (request: ResolvedRequest, layout: object = { format: 'json' }, name = '1', today = TODAY) =>
  identityOf({ request, layout }, name, today);

/** Of each field of a resolved request another value; a field without one does not compile. */
const OTHER: { [Field in keyof Required<ResolvedRequest>]: ResolvedRequest[Field] } = {
  base: 'USD',
  quotes: ['CHF'],
  providers: ['BOC', 'ECB'],
  expand: ['quality'],
  receipt: true,
  precision: 'full',
  when: { form: 'range', from: TODAY - 9, to: TODAY, period: 'day' },
  asOf: 1_000,
  updatedAfter: { instant: 1_000, when: { form: 'newest' } },
};
/** Those that change how digits are written, or which column is read, take nothing. */
const FREE = new Set(['base', 'precision']);

describe('the identity of an answer', () => {
  const plain = resolved({});

  it.each(Object.keys(OTHER) as (keyof ResolvedRequest)[])('and its cost have the field %s', (field) => {
    const other = { ...plain, [field]: OTHER[field] };
    expect(identity(other)).not.toBe(identity(plain));
    const [one, another] = [plain, other].map((request) => bytesOf(costOf(request)));
    expect(one === another).toBe(FREE.has(field));
  });

  it('has every field that there is, and one that is still to come', () => {
    expect(new Set(Object.keys(OTHER))).toEqual(new Set(Object.keys(plain)));
    expect(identity({ ...plain, ...{ toCome: 1 } })).not.toBe(identity(plain));
  });

  it('has the software, its method, what is known, the layout and the request, and the day while that matters', () => {
    const text = JSON.stringify([{ format: 'json' }, plain]);
    expect(identity(plain)).toBe(entityTag(BLEND_METHOD, '1', TODAY, text));
    const [closed, proven] = [{}, { expand: ['receipt' as const] }].map((more) =>
      resolved({ date: '2026-03-19', ...more }),
    );
    const isOfToday = (request: ResolvedRequest | undefined) =>
      request && identity(request, {}, '1', TODAY + 1) !== identity(request, {});
    expect([plain, closed, proven].map(isOfToday)).toEqual([true, false, true]);
    expect(METHOD_HEADERS).toEqual(['x-blend-method', String(BLEND_METHOD)]);
  });
});
