// Loaded into a program before anything else: its wall clock can then be stepped from outside, as an operator or a
// time server does. Timers and `performance.now()` go on as before, which is what happens on a real machine.

/** By how many milliseconds the clock is off from now on. */
export interface ClockStep {
  type: 'step-clock';
  ms: number;
}

let offset = 0;

process.on('message', (message: ClockStep | { type: string }) => {
  if (message.type === 'step-clock' && 'ms' in message) offset = message.ms;
});

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + offset] : values, newTarget),
  apply: (target) => new target(target.now() + offset).toString(),
  get: (target, name) => (name === 'now' ? () => target.now() + offset : Reflect.get(target, name)),
});
