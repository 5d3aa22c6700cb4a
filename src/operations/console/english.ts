import { readerOf } from '../../pages/reader.js';

/** The console is in English, as logs and the command line are. */
export const english = readerOf('en-GB');
