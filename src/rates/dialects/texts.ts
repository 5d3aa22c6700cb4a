// What other services say of their terms, said of ours.

export const WARRANTY = 'Rates of public sources, without any warranty';
export const SOURCES = 'The terms of each source are in /v2/providers';
export const PRIVACY = 'No key is needed, and none is kept';
