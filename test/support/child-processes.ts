import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';

/** Processes of a program that do nothing but what a test lets them emit. Signals to them are noted as `name SIGTERM`. */
export function childProcesses(name: string, signals: string[] = []) {
  const children: EventEmitter[] = [];
  return {
    /** Without a process id it is one that could not be started. */
    fork({ pid }: { pid: number | undefined } = { pid: 1 }): ChildProcess {
      const kill = (signal: string) => signals.push(`${name} ${signal}`) > 0;
      const child = Object.assign(new EventEmitter(), { pid, kill });
      children.push(child);
      return child as unknown as ChildProcess;
    },
    count: () => children.length,
    newest(): EventEmitter {
      const newest = children.at(-1);
      if (!newest) throw new Error(`no process of ${name} was started`);
      return newest;
    },
  };
}
