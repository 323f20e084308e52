/** Headers of the console's pages and files, and of Next's errors. */
export const SECURITY_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  // Allows popups, because wallets open windows that send messages to the page.
  ['cross-origin-opener-policy', 'same-origin-allow-popups'],
] as const;

/** Content-Security-Policy of errors, redirects and files. For pages, `proxy.ts` sets a policy with a nonce instead. */
export const NO_PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
