import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { projectFolder } from '../../core/process/project-files.js';

const SHOWN = 10;

/** Prints the files whose tests took most processor time, that of servers left out: see docs/testing.md. */
export default class DearestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .map((module) => ({
        file: relative(projectFolder, module.moduleId),
        ms: module.meta().processorMs ?? 0,
        wall: module.diagnostic().duration,
      }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, SHOWN)
      .map(({ file, ms, wall }) => `| \`${file}\` | ${seconds(ms)} | ${seconds(wall)} |\n`);
    process.stdout.write(
      `| file | processor time, s | tests' time, s |\n| --- | --- | --- |\n${rows.join('')}`,
    );
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
