/** What every answer for the console carries, files and errors included. */
export const SECURITY_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  // Wallets open windows of their own and talk back to the page.
  ['cross-origin-opener-policy', 'same-origin-allow-popups'],
] as const;

/**
 * The policy of whatever is no page: an error, a redirect, a file. Pages get theirs, with a nonce, from `proxy.ts`,
 * which replaces this one; what it should pass by can run nothing.
 */
export const NO_PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
