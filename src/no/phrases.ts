import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';

const phraseList = z.array(z.string().min(1)).min(1);

/** In a database the phrases belong to the operator, who may edit and delete them. */
export function readPhrases(): string[] {
  return readDataFile('phrases.json', phraseList);
}
