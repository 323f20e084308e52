/**
 * Hides malformed wallet announcements (EIP-6963) from later listeners. Otherwise wagmi would throw, and one broken
 * extension would hide all wallets.
 */
export function ignoreMalformedAnnouncements(): void {
  window.addEventListener(
    'eip6963:announceProvider',
    (event) => !isAnnouncement((event as CustomEvent<unknown>).detail) && event.stopImmediatePropagation(),
    { capture: true },
  );
}

/** Returns whether an announcement names a wallet and has an EIP-1193 provider. An icon is optional. Never throws. */
export function isAnnouncement(detail: unknown): boolean {
  try {
    const { info, provider } = detail as { info: Record<string, unknown>; provider: { request: unknown } };
    return (
      [info['uuid'], info['name'], info['rdns']].every(isName) &&
      typeof (info['icon'] ?? '') === 'string' &&
      typeof provider.request === 'function'
    );
  } catch {
    // A part is missing, or a getter throws.
    return false;
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
