import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';

const wordList = z.array(z.object({ word: z.string(), hint: z.string() })).min(1);

export type Word = z.infer<typeof wordList>[number];

export function loadWords(): readonly Word[] {
  return readDataFile('words.json', wordList);
}
