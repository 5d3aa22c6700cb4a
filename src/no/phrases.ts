import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../../core/process/project-files.js';

const phraseList = z.array(z.string().min(1)).min(1);

/** In a database the phrases belong to the operator, who may edit and delete them. */
export function readPhrases(): string[] {
  return phraseList.parse(JSON.parse(readFileSync(dataFile('phrases.json'), 'utf8')));
}
