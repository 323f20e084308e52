import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from 'next/constants.js';

/** @type {import('next').NextConfig} */
const nextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Packages with native or WebAssembly files or worker threads. They must not be bundled.
  serverExternalPackages: [
    'libsql',
    'pg',
    'undici',
    'pino',
    'prom-client',
    '@opentelemetry/sdk-trace',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@foundry-rs/anvil',
    'litesvm',
    'tiny-secp256k1',
  ],
  // The tests run the type check separately. Starting the product does not wait for it.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  experimental: {
    // Pages contain only the console itself, so the browser may reuse an opened page for a day.
    staleTimes: { dynamic: 86_400, static: 86_400 },
    // Builds rarely follow small changes. The cache would add a tenth to the build time, and 220 MB.
    turbopackFileSystemCacheForBuild: false,
    // Browsers never download the server's code. Without minification, stack traces need no source maps.
    serverMinification: false,
    turbopackSourceMaps: false,
    // Size before minification. At the default of 50,000 the console's shell is split into two chunks, which adds 1 KB
    // (compressed) to every page.
    turbopackChunking: { minChunkSize: 80_000 },
    // When server.ts runs the gateway, API calls never reach Next's routes (served-api.ts). Preloading them would load
    // the server's code twice.
    preloadEntriesOnStart: !(Symbol.for('turnpike.api') in globalThis),
  },
  // Prevents a lockfile in a parent folder from moving the root there.
  turbopack: {
    root: import.meta.dirname,
    rules: { '*.sql': { type: 'text' } },
    // The first entries replace parts of Next, by the text of its imports (lib/browser/next/stubs.test.ts). Solana's
    // adapter for Android wallets depends on React Native, and WalletConnect brings its own dialog. The
    // console uses neither.
    resolveAlias: {
      '../build/polyfills/polyfill-module': { browser: './lib/browser/next/polyfill-stub.ts' },
      '../../../lib/constants': { browser: './lib/browser/next/constants-stub.ts' },
      './reducers/server-action-reducer': { browser: './lib/browser/next/server-action-stub.ts' },
      './builtin/global-error': { browser: './app/global-error.tsx' },
      '../components/builtin/global-error': { browser: './app/global-error.tsx' },
      '@solana-mobile/wallet-adapter-mobile': './lib/browser/wallet/solana-mobile-stub.ts',
      '@reown/appkit/core': './lib/browser/wallet/walletconnect-dialog-stub.ts',
    },
  },
  outputFileTracingRoot: import.meta.dirname,
};

/**
 * Next's configuration. Build and development also bundle the programs that run outside Next, so that `npx next build
 * && npx next start` has the simulators that instrumentation.ts starts.
 *
 * @param {string} phase
 */
export default async function configure(phase) {
  // Next evaluates this file again in its workers, which inherit TURNPIKE_BUNDLED.
  const builds = phase === PHASE_PRODUCTION_BUILD || phase === PHASE_DEVELOPMENT_SERVER;
  if (builds && !process.env.TURNPIKE_BUNDLED) {
    process.env.TURNPIKE_BUNDLED = '1';
    await (await import('./scripts/bundle.mjs')).bundle();
  }
  return nextConfig;
}
