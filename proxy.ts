import { type NextRequest, NextResponse } from 'next/server';
import { SECURITY_HEADERS } from '@/lib/server/http/page-headers';
import { startedApi } from '@/lib/server/http/served-api';

/**
 * Adds security headers and a Content Security Policy with a new nonce to every page. Next reads the nonce from the
 * request's policy header. With "strict-dynamic" (CSP Level 3, section 8.2), scripts that a trusted script loads are
 * trusted too.
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
      // API answers have their own headers, and static files need no policy. Prefetches need the headers too, because
      // the browser may show the fetched page later.
      source: '/((?!api/|api$|_next/static/|_next/image|icon\\.svg$).*)',
    },
  ],
};

/** Hosts that WalletConnect's provider uses to reach wallets, read chains, and send telemetry. */
const WALLET_CONNECT_HOSTS = [
  'wss://relay.walletconnect.org',
  'https://rpc.walletconnect.org',
  'https://verify.walletconnect.org',
  'https://pulse.walletconnect.org',
];
/** Frames through which WalletConnect tells wallets the origin of a request. */
const WALLET_CONNECT_FRAMES = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com'];

export interface PolicyOptions {
  /** Allows `eval`, which React uses in development. */
  isDevelopment: boolean;
  /** Allows WalletConnect's servers, if the operator has configured a WalletConnect project. */
  hasWalletConnect: boolean;
}

/** Builds the policy. Allows inline styles, because the editor and overlays set them. */
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
