import render from '../../../src/rendering/render-thread.js';

/** A thread that ends where a request is about a certain currency: at once, or while it sends a stream. */
export default function renderOrEnd(message: Parameters<typeof render>[0]): ReturnType<typeof render> {
  const asked = JSON.stringify(message.input);
  if (asked.includes('KWD')) process.exit(1);
  let chunks = 0;
  if (asked.includes('BIF'))
    message.port.on('message', () => {
      if (++chunks === 3) throw new Error('a mistake');
    });
  return render(message);
}
