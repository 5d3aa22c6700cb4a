import pg from 'pg';
import { expect, it } from 'vitest';
import { asDatabaseError, DatabaseError, isUnavailable } from '../../../core/database/errors.js';
import { Prisma } from '../../../core/database/generated/prisma/client.js';

/** An error of PostgreSQL as the driver throws it, and as Prisma's is unwrapped. */
function bothOf(code: string | undefined, message = 'as it says'): Error[] {
  const own = new pg.DatabaseError(message, message.length, 'error');
  return [Object.assign(own, { code }), new DatabaseError(message, code)];
}
const coded = (code: string) => Object.assign(new Error('as it says'), { code });
const WORDS = ['timeout exceeded', 'Client was closed', 'Client has ended', 'not queryable'];

it.each<[string, isUnavailable: boolean, unknown[]]>([
  ['a server that ends', true, bothOf('57P01')],
  ['a server without free connections', true, bothOf('53300')],
  ['a broken connection', true, bothOf('08006')],
  ['a server that can only be read', true, bothOf('25006')],
  ['a server that says so without a code', true, bothOf(undefined, 'Connection terminated')],
  ['a network that refuses or breaks', true, [coded('ECONNREFUSED'), coded('EPIPE')]],
  ['the words of the driver', true, WORDS.map(Error)],
  ['a pool that has ended', true, [new Error('Cannot use a pool after calling end')]],
  ['several addresses', true, [new AggregateError([coded('ECONNREFUSED'), coded('EHOSTUNREACH')])]],
  ['a statement that fails', false, bothOf('22012')],
  ['another state of a transaction', false, bothOf('25001')],
  ['a statement whose error speaks of connections', false, bothOf('42601', 'connection')],
  ['a fault without a known word', false, bothOf(undefined)],
  ['the code of a library', false, [coded('P2002'), coded('XECONNREFUSED')]],
  ['what the caller has ended', false, [new DOMException('connection timeout', 'AbortError')]],
  ['several errors with a fault', false, [new AggregateError([coded('ECONNREFUSED'), new Error('odd')])]],
  ['no error at all', false, ['connection', undefined]],
])('the error of %s means that the database is unavailable: %s', (_what, unavailable, errors) => {
  expect(errors.map(isUnavailable)).toEqual(errors.map(() => unavailable));
});

it.each([
  [{ originalMessage: 'division by zero', originalCode: '22012' }, 'division by zero', '22012'],
  [{ kind: 'DatabaseNotReachable' }, 'what went wrong', '08006'],
  [{ kind: 'ConnectionClosed' }, 'what went wrong', '08006'],
  [{ kind: 'SocketTimeout' }, 'what went wrong', '08006'],
  [{ kind: 'TlsConnectionError' }, 'what went wrong', '08006'],
  [{ kind: 'InvalidInput' }, 'what went wrong', undefined],
  [undefined, 'what went wrong', undefined],
])("Prisma's error of %o says %s, with the code %s", (cause, message, code) => {
  const error = new Prisma.PrismaClientKnownRequestError('\nInvalid call\n\nwhat went wrong\n', {
    code: 'P2010',
    clientVersion: '7',
    meta: { driverAdapterError: cause && { cause } },
  });
  const unwrapped = asDatabaseError(error) as DatabaseError;
  expect(unwrapped).toBeInstanceOf(DatabaseError);
  expect([unwrapped.message, unwrapped.code]).toEqual([message, code]);
  const [first, ...frames] = unwrapped.stack?.split('\n') ?? [];
  expect(first).toBe(`DatabaseError: ${message}`);
  expect(frames.length).toBeGreaterThan(0);
  expect(frames.every((line) => error.stack?.includes(line) && /^\s+at /.test(line))).toBe(true);
});

it('only an error of Prisma is unwrapped', () => {
  const other = new Error('odd');
  expect(asDatabaseError(other)).toBe(other);
});
