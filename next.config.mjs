import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from 'next/constants.js';

/** @type {import('next').NextConfig} */
const nextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Packages with native or WebAssembly files or worker threads: they must stay where npm put them.
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
  // The type check is a stage of its own in the tests; whoever only starts the product need not wait for it.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  experimental: {
    // Pages hold nothing but the console itself: one that was opened is gone back to without the server, for a day.
    staleTimes: { dynamic: 86_400, static: 86_400 },
    // A build is from a clone or after an update, seldom after a change: to keep what it compiled takes a tenth of it and 220 MB.
    turbopackFileSystemCacheForBuild: false,
    // Nobody downloads the server's code; stacks name its functions without maps.
    serverMinification: false,
    turbopackSourceMaps: false,
    // Before minifying. At the default of 50,000 the shell of the console is two chunks, which compress to 1 KB more on every page.
    turbopackChunking: { minChunkSize: 80_000 },
    // Behind server.ts, which has booted by now (booted.ts), no API call reaches Next's routes, and they would load all
    // of the server's code once more.
    preloadEntriesOnStart: !(Symbol.for('turnpike.boot') in globalThis),
  },
  // A lockfile in a folder above must not move the root there.
  turbopack: {
    root: import.meta.dirname,
    rules: { '*.sql': { type: 'text' } },
    // The adapter of Solana's Android wallets brings React Native along, WalletConnect a dialog of its own; the console does
    // without them.
    resolveAlias: {
      '@solana-mobile/wallet-adapter-mobile': './lib/browser/wallet/solana-mobile-stub.ts',
      '@reown/appkit/core': './lib/browser/wallet/walletconnect-dialog-stub.ts',
    },
  },
  outputFileTracingRoot: import.meta.dirname,
};

/**
 * Next's configuration. Building and developing also bundle the programs that
 * run outside Next, so that `npx next build && npx next start` alone has the
 * stand-ins which instrumentation.ts launches.
 *
 * @param {string} phase
 */
export default async function configure(phase) {
  // Next evaluates this file again in each of its workers, which inherit the mark.
  const builds = phase === PHASE_PRODUCTION_BUILD || phase === PHASE_DEVELOPMENT_SERVER;
  if (builds && !process.env.TURNPIKE_BUNDLED) {
    process.env.TURNPIKE_BUNDLED = '1';
    await (await import('./scripts/bundle.mjs')).bundle();
  }
  return nextConfig;
}
