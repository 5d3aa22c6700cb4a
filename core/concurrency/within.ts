/** The result, or `otherwise` after the time. The work continues. */
export async function within<T, F>(milliseconds: number, work: Promise<T>, otherwise: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
