import { expect, it } from 'vitest';
import { startErrorOf } from '../../../../core/database/embedded-postgres/start-error.js';

const failed = (message: string, more: object) => Object.assign(new Error(message), more);

it.each([
  ['Command failed', 'initdb: error: no space\n  hint: make room  \n', 'initdb: error: no space'],
  ['Command failed', 'FATAL: first\n  could not write  \nbye', 'could not write'],
  ['  Command failed', 'bye\n', 'Command failed'],
  ['', '', ''],
])('a program that failed with %j and %j can not be used: %s', (message, stderr, reason) => {
  const error = failed(message, { stderr });
  expect(startErrorOf(error, '/data')).toMatchObject({
    name: 'EmbeddedPostgresError',
    message: `the data folder /data can't be used: ${reason}`,
    cause: error,
  });
});

it('an error of the file system is one too, and any other stays as it is', () => {
  const denied = failed('EACCES: permission denied', { syscall: 'mkdir' });
  const told = startErrorOf(denied, '/data');
  expect(told).toHaveProperty('message', "the data folder /data can't be used: EACCES: permission denied");
  for (const other of [told, new Error('a bug'), 'no error'])
    expect(startErrorOf(other, '/data')).toBe(other);
});
