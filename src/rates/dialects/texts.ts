// The statements of other services about their terms, adapted to this one.

export const WARRANTY = 'Rates of public sources, without any warranty';
export const SOURCES = 'The terms of each source are in /v2/providers';
export const PRIVACY = 'No key is needed, and none is kept';
