/**
 * Keeps malformed announcements of wallets (EIP-6963) from what listens after this. wagmi takes each as it comes and throws
 * at every later one, so that one broken extension hides all wallets.
 */
export function ignoreMalformedAnnouncements(): void {
  window.addEventListener(
    'eip6963:announceProvider',
    (event) => !isAnnouncement((event as CustomEvent<unknown>).detail) && event.stopImmediatePropagation(),
    { capture: true },
  );
}

/** Whether an announcement names a wallet and has a provider to ask (EIP-1193). An icon may be missing. Never throws. */
export function isAnnouncement(detail: unknown): boolean {
  try {
    const { info, provider } = detail as { info: Record<string, unknown>; provider: { request: unknown } };
    return (
      [info['uuid'], info['name'], info['rdns']].every(isName) &&
      typeof (info['icon'] ?? '') === 'string' &&
      typeof provider.request === 'function'
    );
  } catch {
    // A missing part, or a member that throws when it is read.
    return false;
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
