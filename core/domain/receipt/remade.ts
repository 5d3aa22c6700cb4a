import type { ReceiptInput, ReceiptSteps } from './schema.js';

/** What an input is beside what its row says. */
export type Part = Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect' | 'judgement'>;

/** What follows from the address and the rows of a receipt: the part of each row by its name, and the steps. */
export interface Remade {
  parts: ReadonlyMap<string, Part>;
  steps: ReceiptSteps;
}
