import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, it } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { MigrationError } from '../../../core/database/migrations.js';
import { StartError, startFailure } from '../../../core/process/start-failure.js';

const failed = (message: string, more: object = {}) => Object.assign(new Error(message), more);
const closed = failed('Connection terminated unexpectedly');
/** As the driver's pool reports that connecting took too long. */
const timeout = new Error('Connection terminated due to connection timeout', { cause: closed });

it.each([
  [new StartError('as it says'), 'as it says'],
  [new Error('outside', { cause: new MigrationError('a newer version') }), 'a newer version'],
  [timeout, 'the database does not answer in time'],
  [new Error('the migrations failed', { cause: timeout }), 'the database does not answer in time'],
  [closed, 'the server at DATABASE_URL closes the connection: it may not be PostgreSQL'],
  [
    failed('', { code: 'EADDRINUSE', port: 80 }),
    'port 80 is already in use: set PORT, or ADMIN_PORT if that names it, to another one',
  ],
  [
    failed('', { code: 'EADDRNOTAVAIL', address: '192.0.2.1' }),
    'this machine has no address 192.0.2.1: set HOST to another one',
  ],
  [failed('', { code: 'EACCES', port: 80 }), 'not allowed to listen on port 80'],
  [failed('', { code: 'EACCES' }), undefined],
  [failed('', { code: 'ENOTFOUND', hostname: 'db' }), 'cannot connect to db (ENOTFOUND)'],
  [
    new AggregateError([failed('', { code: 'ECONNREFUSED', address: '::1', port: 5432 })]),
    'cannot connect to ::1:5432 (ECONNREFUSED)',
  ],
  [failed('', { code: 'EPIPE' }), undefined],
  [failed('no more', { code: '53300' }), 'the database refuses: no more'],
  [failed('no more', { code: '42P01' }), undefined],
  [failed('WRONGPASS invalid'), 'Redis refuses: a password is missing or wrong'],
  [failed('NOAUTH required'), 'Redis refuses: a password is missing or wrong'],
  ['no error', undefined],
])('%j says in one line why a program can not start: %s', (error, line) => {
  expect(startFailure(error)).toBe(line);
});

it('names the server that can not be used, and never its password', async () => {
  const http = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const template = inject('templateUrl');
  const lineOf = async (url: URL | string) => {
    const database = openDatabase(String(url));
    const error = await poolOf(database)
      .query('select 1')
      .catch((reason: unknown) => reason);
    await database.close();
    return startFailure(error);
  };
  const nobody = 'postgres://user:hidden@127.0.0.1';
  expect(await lineOf(`${nobody}:9/almanac`)).toBe('cannot connect to 127.0.0.1:9 (ECONNREFUSED)');
  expect(await lineOf(`${nobody}:${port}/almanac`)).toMatch(
    /closes the connection: it may not be PostgreSQL$/,
  );
  const password = Object.assign(new URL(template), { password: 'hidden' });
  expect(await lineOf(password)).toMatch(/^(?!.*hidden).*the database refuses: password/);
  const database = Object.assign(new URL(template), { pathname: '/nowhere' });
  expect(await lineOf(database)).toBe('the database refuses: database "nowhere" does not exist');
  http.close();
});
