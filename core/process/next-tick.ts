import { createHook } from 'node:async_hooks';

/** The object that Node queued for one tick. */
let queued: object | undefined;

/**
 * Keeps `process.nextTick` fast after the program was idle. Each call makes an object by a literal with computed keys,
 * for which V8 remembers one hidden class, by a weak reference. A full collection while no tick is queued, which V8 starts
 * by itself some ten seconds after a program has become idle, frees that class. V8 then takes the literal for one of
 * many classes, and each call goes through its runtime for as long as the program runs: a response, with five of them, took
 * a quarter more processor time (Node 20). One such object that stays alive keeps the class. Gives that object;
 * undefined where Node no longer makes one.
 */
export function keepNextTickFast(): object | undefined {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') queued ??= resource;
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
  return queued;
}
