import { expect, it } from 'vitest';
import { reasonOf, refusalOf } from '../../../core/process/connection-errors.js';

const OOM = "OOM command not allowed when used memory > 'maxmemory'.";
const REDIS_6 = `ERR Error running script (call to f_abc): @user_script:1: @user_script: 1: -${OOM}`;
const TRANSACTION = Object.assign(new Error('EXECABORT'), { previousErrors: [new Error(OOM)] });
const REFUSED = new AggregateError([new Error('connect ECONNREFUSED')]);

it.each([
  ['a command', new Error(OOM), 'full'],
  ['a script of Redis 7', new Error(`${OOM} script: abc, on @user_script:1.`), 'full'],
  ['a script of Redis 6', new Error(REDIS_6), 'full'],
  ['a transaction', TRANSACTION, 'full'],
  ['a cause', new Error('the job queue cannot be reached', { cause: new Error(OOM) }), 'full'],
  ['a replica', new Error("READONLY You can't write against a read only replica."), 'refuses_writes'],
  ['a lost connection', REFUSED, undefined],
  ['a wrong password', new Error('WRONGPASS invalid username-password pair'), undefined],
])('what refuses writes is known by the error of %s', (_, error, refusal) => {
  expect(refusalOf(error)).toBe(refusal);
});

it('the reason of several errors is that of the first', () =>
  expect([TRANSACTION, REFUSED].map(reasonOf)).toEqual([OOM, 'connect ECONNREFUSED']));
