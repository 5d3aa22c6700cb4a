import { createFormats, isSupportedLocale } from '../shared/format.js';

const { locale = '' } = document.documentElement.dataset;

/** The formats that the server has written the figures of this page in. */
export const formats = createFormats(isSupportedLocale(locale) ? locale : 'en-GB');
