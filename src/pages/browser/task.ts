/** Returns a function that starts work after a pause, and aborts what it started before. Without work, it only aborts. */
export function openTask() {
  let latest = new AbortController();
  let pause: number;
  return (work: (signal: AbortSignal) => unknown = () => {}, pauseMs = 0): void => {
    latest.abort();
    clearTimeout(pause);
    latest = new AbortController();
    pause = window.setTimeout(work, pauseMs, latest.signal);
  };
}
