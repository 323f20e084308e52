import { type NextRequest, NextResponse } from 'next/server';
import { SECURITY_HEADERS } from '@/lib/server/http/page-headers';
import { startedApi } from '@/lib/server/http/served-api';

/**
 * Gives every page a Content Security Policy with a nonce of its own, and the usual security headers. The nonce
 * travels to the renderer in the request's own policy header, where Next finds it (CSP Level 3, section 8.2
 * "strict-dynamic": scripts that a trusted script loads are trusted).
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce, {
    isDevelopment: process.env.NODE_ENV === 'development',
    hasWalletConnect: startedApi()?.hasWalletConnect ?? false,
  });
  const requestHeaders = new Headers(request.headers);
  requestHeaders.set('x-nonce', nonce);
  requestHeaders.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers: requestHeaders } });
  response.headers.set('content-security-policy', policy);
  for (const [name, value] of SECURITY_HEADERS) response.headers.set(name, value);
  return response;
}

export const config = {
  matcher: [
    {
      // API answers carry headers of their own; static files need no policy. What is asked for as a prefetch may be
      // shown later, and is no exception.
      source: '/((?!api/|api$|_next/static/|_next/image|icon\\.svg$).*)',
    },
  ],
};

/** Where WalletConnect's provider meets a wallet on a phone, reads chains, and reports on itself. */
const WALLET_CONNECT_HOSTS = [
  'wss://relay.walletconnect.org',
  'https://rpc.walletconnect.org',
  'https://verify.walletconnect.org',
  'https://pulse.walletconnect.org',
];
/** The page by which a wallet learns who asks it. */
const WALLET_CONNECT_FRAMES = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com'];

export interface PolicyOptions {
  /** Admits React's eval. */
  isDevelopment: boolean;
  /** Admits WalletConnect's servers: only where the operator has a project there. */
  hasWalletConnect: boolean;
}

/** Styles may be inline: the editor and the overlays set them as they measure. */
export function contentSecurityPolicy(nonce: string, { isDevelopment, hasWalletConnect }: PolicyOptions): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...(hasWalletConnect ? WALLET_CONNECT_HOSTS : [])].join(' '),
    ...(hasWalletConnect ? [['frame-src', ...WALLET_CONNECT_FRAMES].join(' ')] : []),
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
