import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { projectFolder } from '../../core/process/project-files.js';

/** Files whose tests start programs and wait for them: minutes in all, in which other files have the processors. */
const LONGEST = ['test/core/start/programs.system.test.ts', 'test/core/start/start.system.test.ts'];

/**
 * Vitest's order, but for the longest files, which are run first also where no earlier run has shown that they are the
 * longest, and their project before the others. With `--sequence.shuffle` the order is that of the seed.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.indexOf(relative(projectFolder, moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    const { shuffle, seed } = this.ctx.config.sequence;
    const drawn = ({ moduleId }: TestSpecification) =>
      createHash('sha256').update(`${seed} ${moduleId}`).digest().readUInt32BE(0);
    const sorted = shuffle
      ? files.toSorted((one, other) => drawn(one) - drawn(other))
      : (await super.sort(files)).sort((one, other) => place(one) - place(other));
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name));
  }
}
