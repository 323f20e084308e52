import { AppShell } from '@/components/shell/app-shell';
import { Providers } from '@/components/shell/providers';
import {
  FIRST_STEPS_SCRIPT,
  HYDRATION_TASK_SCRIPT,
  REMEMBERED_CONVERSATION_SCRIPT,
  REMEMBERED_WALLETS_SCRIPT,
  THEME_SCRIPT,
} from '@/lib/browser/page/head-scripts';
import { askKnownFacts } from '@/lib/browser/reads/known-facts';
import { pageBrand } from '@/lib/server/http/page-brand';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { mono, sans, sansCyrillic, sansExtended } from './fonts';
import './globals.css';
import { OWN_GATEWAY } from './own-gateway';

export function generateMetadata(): Metadata {
  const { name, icon } = pageBrand();
  return {
    title: { default: name, template: `%s · ${name}` },
    description:
      'A gateway whose customers need no account: metered blockchain RPC, private chat and speech over one HTTP API.',
    icons: { icon: icon ?? '/icon.svg' },
  };
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fafafa' },
    { media: '(prefers-color-scheme: dark)', color: '#151516' },
  ],
};

/** Inline script that the browser runs before the first paint. */
const FIRST_SCRIPT = [
  THEME_SCRIPT,
  REMEMBERED_WALLETS_SCRIPT,
  REMEMBERED_CONVERSATION_SCRIPT,
  FIRST_STEPS_SCRIPT,
  HYDRATION_TASK_SCRIPT,
].join(';');

/** Root layout of every page. Reading the nonce of `proxy.ts` makes pages dynamic. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const known = await askKnownFacts(OWN_GATEWAY);
  const brand = pageBrand();
  return (
    <html
      lang="en"
      className={[sans, mono, sansExtended, sansCyrillic].map(({ variable }) => variable).join(' ')}
      suppressHydrationWarning
    >
      <head>
        {brand.style !== null && <style dangerouslySetInnerHTML={{ __html: brand.style }} />}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: FIRST_SCRIPT }} />
      </head>
      <body>
        <Providers brand={brand} known={known}>
          <AppShell>{children}</AppShell>
        </Providers>
      </body>
    </html>
  );
}
