/** Longer than between two keys of whoever types. */
const QUIET_MS = 300;
const ACTS = ['pointerdown', 'pointerup', 'keydown'] as const;

/**
 * Does something heavy once nobody has pressed anything for a moment, so that no press has to wait for it.
 *
 * @returns what gives it up
 */
export function inQuietMoment(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = () => {
    clearTimeout(timer);
    for (const name of ACTS) window.removeEventListener(name, wait, { capture: true });
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      giveUp();
      act();
    }, QUIET_MS);
  };
  for (const name of ACTS) window.addEventListener(name, wait, { passive: true, capture: true });
  wait();
  return giveUp;
}
