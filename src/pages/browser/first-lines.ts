/** The first lines of a response; the rest of it is not read. */
export async function firstLines(response: Response, most: number): Promise<string[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let read = await reader?.read();
  while (read && !read.done) {
    text += read.value;
    if (text.split('\n').length > most) break;
    read = await reader?.read();
  }
  await reader?.cancel();
  return text.split('\n', most).filter((line) => line !== '');
}
