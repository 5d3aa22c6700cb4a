import { createFormats, isSupportedLocale } from '../shared/format.js';

const { locale: ofPage = '' } = document.documentElement.dataset;

/** The locale that the server has written the figures of this page in. */
export const locale = isSupportedLocale(ofPage) ? ofPage : 'en-GB';

export const formats = createFormats(locale);
