import { type Answer, type AnswerDependencies, createAnswer } from './answer.js';
import { type AnswerRows, createAnswerRows, type RowsDependencies } from './rows-answer.js';

/** What answers questions about rates, whoever asks. */
export interface Rates {
  answer: Answer;
  answerRows: AnswerRows;
}

export type RatesDependencies = AnswerDependencies & RowsDependencies;

export function createRates(dependencies: RatesDependencies): Rates {
  const answer = createAnswer(dependencies);
  return { answer, answerRows: createAnswerRows(answer, dependencies) };
}
