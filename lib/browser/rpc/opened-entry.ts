const MARK = 'turnpikeOpened';

/**
 * Marks the link of the current history entry as opened, so that a reload or Back does not overwrite newer input.
 * @param link query and fragment of the opened link
 * @param href replaces the current address
 */
export function markOpened(link: string, href?: string): void {
  // Keeps Next's state in the history entry. For a new address, Next adds its state itself.
  window.history.replaceState({ ...(href === undefined && window.history.state), [MARK]: link }, '', href);
}

/** Returns whether this link of the current history entry was opened before. */
export function isOpened(link: string): boolean {
  return (window.history.state as Readonly<Record<string, unknown>> | null)?.[MARK] === link;
}
