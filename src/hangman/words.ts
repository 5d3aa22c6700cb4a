import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../../core/process/project-files.js';

const wordList = z.array(z.object({ word: z.string(), hint: z.string() })).min(1);

export type Word = z.infer<typeof wordList>[number];

export function loadWords(): readonly Word[] {
  return wordList.parse(JSON.parse(readFileSync(dataFile('words.json'), 'utf8')));
}
