/** Names and values of headers alternately. Of the forms that `writeHead` accepts it is the fastest. */
export type HeaderList = readonly string[];
