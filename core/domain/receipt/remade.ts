import type { ReceiptInput, ReceiptSteps } from './schema.js';

/** The computed members of an input, beside the published facts of its row. */
export type Part = Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect' | 'judgement'>;

/** The part of each row, by input name, and the steps, both computed from the address and the rows of a receipt. */
export interface Remade {
  parts: ReadonlyMap<string, Part>;
  steps: ReceiptSteps;
}
