/** All chunks but the last have at least `length` characters. */
export async function* textChunks(
  pieces: Iterable<string> | AsyncIterable<string>,
  length: number,
): AsyncGenerator<Buffer, void, undefined> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < length) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text.length > 0) yield Buffer.from(text);
}
