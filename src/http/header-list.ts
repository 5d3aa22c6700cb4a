/** Names and values of headers by turns, as `writeHead` takes them: the fastest form there is, and easily joined. */
export type HeaderList = readonly string[];
