import { readerOf } from '../../pages/reader.js';

const reader = readerOf('en-GB');

/** The console is in English, as logs and the command line are. Its instants have a year: "20 Mar 2026, 14:00 UTC". */
export const english = {
  ...reader,
  formats: {
    ...reader.formats,
    /** Such as "1.2 GB", "9.4 MB" or "12 kB". */
    size(bytes: number) {
      if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
      return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
    },
    /** Such as "340 ms" or "1.3 s"; empty if either end is unknown. */
    took(from: Date | null, to: Date | null) {
      if (!from || !to) return '';
      const ms = to.getTime() - from.getTime();
      return ms < 1_000 ? `${ms} ms` : `${reader.formats.decimal((ms / 1_000).toFixed(1))} s`;
    },
    instant(at: Date | string) {
      const iso = new Date(at).toISOString();
      return `${reader.formats.shortDate(iso)}, ${iso.slice(11, 16)}\u00a0UTC`;
    },
  },
};

export const { formats, say } = english;

/** Such as "1 Mar 2026 – 14 Mar 2026". Without an end, up to the newest rates. */
export function daysOf(from: string, to: string | null | undefined): string {
  return `${formats.shortDate(from)} – ${to ? formats.shortDate(to) : 'now'}`;
}
