/** Longer than between two keys of whoever types. */
const QUIET_MS = 300;

/**
 * Does something heavy once nobody has pressed anything for a moment, so that no press has to wait for it.
 *
 * @returns what gives it up
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
