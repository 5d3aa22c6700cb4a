import type { CalendarDate } from '../../core/domain/dates.js';

export interface ImportResult {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Rows left out by validation, or as their provider is excepted: how many for each reason. */
  rowsDropped: Record<string, number>;
  /** Rows that are suspect and held back from the blend. */
  rowsHeldBack: number;
  /** The data version that it made, undefined if all rows were stored already. */
  version: bigint | undefined;
}

export type ImportProgress =
  | { step: 'reading'; rows: number }
  | { step: 'storing' }
  | { step: 'blending'; done: number; total: number };

export interface ImportOptions {
  today: CalendarDate;
  onProgress?: (progress: ImportProgress) => void;
}
