import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { asDatabaseError, DatabaseError, isUnavailable } from '../../../core/database/errors.js';
import { Prisma } from '../../../core/database/generated/prisma/client.js';

/** An error of PostgreSQL as the driver throws it, and as Prisma's is unwrapped. */
function bothOf(code: string | undefined, message = 'as it says'): Error[] {
  const own = new pg.DatabaseError(message, message.length, 'error');
  return [Object.assign(own, { code }), new DatabaseError(message, code)];
}
const coded = (code: string) => Object.assign(new Error('as it says'), { code });

it.each<[string, Error[]]>([
  ['a server that ends', bothOf('57P01')],
  ['a server without free connections', bothOf('53300')],
  ['a broken connection', bothOf('08006')],
  ['a server that can only be read', bothOf('25006')],
  ['a server that says so without a code', bothOf(undefined, 'Connection terminated')],
  ['a network that refuses or breaks', [coded('ECONNREFUSED'), coded('EPIPE')]],
  [
    'the words of the driver',
    ['timeout exceeded', 'Client was closed', 'Client has ended', 'not queryable'].map(Error),
  ],
  ['a pool that has ended', [new Error('Cannot use a pool after calling end')]],
  ['each of several addresses', [new AggregateError([coded('ECONNREFUSED'), coded('EHOSTUNREACH')])]],
])('%s is unavailable', (_what, errors) => {
  expect(errors.map(isUnavailable)).toEqual(errors.map(() => true));
});

it.each<[string, unknown[]]>([
  ['a statement that fails', bothOf('22012')],
  ['another state of a transaction', bothOf('25001')],
  ['a statement whose error speaks of connections', bothOf('42601', 'connection')],
  ['a fault without a known word', bothOf(undefined)],
  ['the code of a library', [coded('ERR_INVALID_ARG'), coded('P2002'), coded('XECONNREFUSED')].slice(1)],
  ['what whoever asked has ended', [new DOMException('connection timeout', 'AbortError')]],
  ['several errors of which one is a fault', [new AggregateError([coded('ECONNREFUSED'), new Error('odd')])]],
  ['no error at all', ['connection', undefined]],
])('%s is not unavailable', (_what, errors) => {
  expect(errors.map(isUnavailable)).toEqual(errors.map(() => false));
});

describe("Prisma's error", () => {
  const wrapped = (cause?: object) =>
    new Prisma.PrismaClientKnownRequestError('\nInvalid call\n\nwhat went wrong\n', {
      code: 'P2010',
      clientVersion: '7',
      meta: { driverAdapterError: cause && { cause } },
    });

  it.each([
    [{ originalMessage: 'division by zero', originalCode: '22012' }, 'division by zero', '22012'],
    [{ kind: 'DatabaseNotReachable' }, 'what went wrong', '08006'],
    [{ kind: 'ConnectionClosed' }, 'what went wrong', '08006'],
    [{ kind: 'SocketTimeout' }, 'what went wrong', '08006'],
    [{ kind: 'TlsConnectionError' }, 'what went wrong', '08006'],
    [{ kind: 'InvalidInput' }, 'what went wrong', undefined],
    [undefined, 'what went wrong', undefined],
  ])('of %o says %s, with the code %s', (cause, message, code) => {
    const error = wrapped(cause);
    const said = asDatabaseError(error) as DatabaseError;
    expect(said).toBeInstanceOf(DatabaseError);
    expect([said.message, said.code]).toEqual([message, code]);
    const [first, ...frames] = said.stack?.split('\n') ?? [];
    expect(first).toBe(`DatabaseError: ${message}`);
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.every((line) => error.stack?.includes(line) && /^\s+at /.test(line))).toBe(true);
  });

  it('is the only one that is unwrapped', () => {
    const other = new Error('odd');
    expect(asDatabaseError(other)).toBe(other);
  });
});
