import type { Command } from 'commander';
import type { Run } from './run.js';
export function addBootstrapMake(_bootstrap: Command, _run: Run): void {}
