import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one plain line: how many tests passed and failed. A file that can't run is a failure. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.reduce((sum, module) => sum + module.errors().length, unhandled.length);
    process.stdout.write(`\n${count('passed')} passed, ${count('failed') + broken} failed\n`);
  }
}
