import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../core/process/project-files.js';
import type { Tool } from './tool.js';

/** A tool that also runs by itself, without a build. Its first comment is its description. */
export async function script(path: string): Promise<Tool> {
  const file = join(projectFolder, 'tools', path);
  const [comment = ''] = /^(\/\/.*\n)+/.exec(await readFile(file, 'utf8')) ?? [];
  return {
    usage: comment.replaceAll(/^\/\/ ?/gm, ''),
    async run(args) {
      const child = spawn(process.execPath, [file, ...args], { cwd: projectFolder, stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      return code ?? 1;
    },
  };
}
