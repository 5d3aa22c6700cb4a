import { expect, it } from 'vitest';
import { reasonOf, refusalOf } from '../../../core/process/connection-errors.js';

const OOM = "OOM command not allowed when used memory > 'maxmemory'.";

it.each([
  ['a command', new Error(OOM), 'full'],
  ['a script of Redis 7', new Error(`${OOM} script: abc, on @user_script:1.`), 'full'],
  [
    'a script of Redis 6',
    new Error(`ERR Error running script (call to f_abc): @user_script:1: @user_script: 1: -${OOM}`),
    'full',
  ],
  [
    'a transaction',
    Object.assign(new Error('EXECABORT Transaction discarded because of previous errors.'), {
      previousErrors: [new Error(OOM)],
    }),
    'full',
  ],
  ['a cause', new Error('the job queue can not be reached', { cause: new Error(OOM) }), 'full'],
  ['a replica', new Error("READONLY You can't write against a read only replica."), 'refuses_writes'],
  ['a lost connection', new AggregateError([new Error('connect ECONNREFUSED')]), undefined],
  ['a wrong password', new Error('WRONGPASS invalid username-password pair'), undefined],
])('what refuses writes is known by the error of %s', (_, error, refusal) => {
  expect(refusalOf(error)).toBe(refusal);
});

it('the reason of several errors is that of the first', () => {
  const transaction = Object.assign(new Error('EXECABORT'), { previousErrors: [new Error(OOM)] });
  expect(reasonOf(transaction)).toBe(OOM);
  expect(reasonOf(new AggregateError([new Error('connect ECONNREFUSED')]))).toBe('connect ECONNREFUSED');
});
