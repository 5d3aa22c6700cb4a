import type { CalendarDate } from '../../core/domain/dates.js';

export interface ImportResult {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Rows dropped by validation or because their provider is excepted, counted by reason. */
  rowsDropped: Record<string, number>;
  /** The number of suspect rows that are held back from the blend. */
  rowsHeldBack: number;
  /** The new data version; undefined if all rows were stored already. */
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
