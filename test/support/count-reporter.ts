import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { projectFolder } from '../../core/process/project-files.js';

/**
 * Ends the output with what was skipped and why, and one plain line: how many tests passed and failed. A file that can't
 * run is a failure. With EXPECTED_SKIPS, a regular expression, so is a file with skipped tests whose reasons don't match it.
 * Appends a line for each failed test to FAILURES_FILE, which a suite prints at its end.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.reduce((sum, module) => sum + module.errors().length, unhandled.length);
    const unexpected = reportSkips(tests.filter((test) => test.result().state === 'skipped'));
    const failed = count('failed') + broken + unexpected;
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed\n`);
    if (unexpected > 0) process.exitCode = 1;
    const file = process.env.FAILURES_FILE;
    if (file !== undefined) appendFileSync(file, modules.flatMap(failuresOf).join(''));
  }
}

/** A line for each failed test of a file, or for the file if it can't run. */
function failuresOf(module: TestModule): string[] {
  const failed = [...module.children.allTests()].filter((test) => test.result().state === 'failed');
  const name = relative(projectFolder, module.moduleId);
  const lines = failed.map((test) => [`${name} > ${test.fullName}`, test.result().errors?.[0]?.message]);
  lines.push(...module.errors().map((error) => [name, error.message]));
  return lines.map(([what, why]) => `  ${what}: ${(why ?? '').split('\n')[0]?.slice(0, 300)}\n`);
}

/** Prints a line for each file with skipped tests. Returns how many files were not expected to have any. */
function reportSkips(skipped: readonly TestCase[]): number {
  const expected = new RegExp(process.env.EXPECTED_SKIPS ?? '', 'i');
  const byFile = new Map<string, TestCase[]>();
  for (const test of skipped) {
    const { moduleId } = test.module;
    byFile.set(moduleId, [...(byFile.get(moduleId) ?? []), test]);
  }
  let unexpected = 0;
  for (const [file, tests] of byFile) {
    const reason = reasonOf(tests, file);
    const isExpected = expected.test(reason);
    if (!isExpected) unexpected++;
    const mark = isExpected ? 'skipped' : 'SKIPPED UNEXPECTEDLY';
    process.stdout.write(`\n${mark}: ${tests.length} of ${relative(projectFolder, file)}, because ${reason}`);
  }
  return unexpected;
}

/** What a test says when it skips itself; else the conditions of the file, under which `skipIf` skips. */
function reasonOf(tests: readonly TestCase[], file: string): string {
  const notes = tests.map((test) => {
    const result = test.result();
    return result.state === 'skipped' ? result.note : undefined;
  });
  const said = [...new Set(notes.filter((note) => note !== undefined))];
  if (said.length > 0) return said.join('; ');
  const conditions = [...readFileSync(file, 'utf8').matchAll(/\.skipIf\(((?:[^()]|\([^()]*\))*)\)/g)].map(
    ([, text = '']) => text,
  );
  return [...new Set(conditions)].join('; ') || 'they are marked so';
}
