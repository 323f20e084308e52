/** Pause in input, longer than between two keystrokes. */
const QUIET_MS = 300;

/**
 * Runs heavy work after a pause in input, so that it delays no key press.
 * @returns function that cancels the work
 */
export function inQuietMoment(act: () => void): () => void {
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = () => {
    clearTimeout(timer);
    listening.abort();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      giveUp();
      act();
    }, QUIET_MS);
  };
  for (const name of ['pointerdown', 'keydown'])
    window.addEventListener(name, wait, { passive: true, capture: true, signal: listening.signal });
  wait();
  return giveUp;
}
